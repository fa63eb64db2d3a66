import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFault, faultsOf, openDoctoredWorld, startStub } from '../world/doctored-world.ts'
import { certificateThatEndsIn, dayMs } from '../world/tls-gate.ts'
import { useOpened } from '../world/use-opened.ts'

const doctored = useOpened(openDoctoredWorld)
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-doctor-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fileWith = async (name: string, content: string) => {
  const file = join(folder, name)
  await writeFile(file, content, { mode: 0o600 })
  return file
}

test('finds a private key that is not the one of the merchant certificate', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const file = await fileWith('other.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  expectFault(await doctored.examine({ WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE: file }), {
    about: 'WeChat Pay',
    says: /could not be asked: refused, SIGN_ERROR/,
    mend: /WECHAT_PAY_MERCHANT_SERIAL_NO and its private key/,
  })
})

test('finds a key file that everybody on the machine can read', async () => {
  const file = await fileWith('open.key', 'test-jwt-secret-of-a-file-0123456789')
  const settings = { JWT_SECRET: '', JWT_SECRET_FILE: file }
  await chmod(file, 0o644)
  // In a folder that nobody else can enter it is closed to them all the same.
  expect(faultsOf(await doctored.examine(settings))).toEqual([])
  await chmod(folder, 0o755)
  expectFault(await doctored.examine(settings), {
    about: 'files with secrets',
    says: /of JWT_SECRET_FILE$/,
    mend: /^chmod o-rwx \//,
  })
  await chmod(folder, 0o700)
})

test('finds that something else answers at the notification address', async () => {
  await using other = await startStub((_, response) => void response.writeHead(200).end('welcome'))
  const settings = { WECHAT_PAY_NOTIFY_URL: `${other.url}/api/v1/payment/notify` }
  expectFault(await doctored.examine(settings), {
    about: 'notification address',
    says: /^something else answers there \(200\)/,
    mend: /^let the proxy pass \/api\/v1\/payment\/notify/,
  })
})

test('finds a certificate that nobody believes and that ends in three days, and a proxy that nobody knows', async () => {
  const keys = certificateThatEndsIn(3.5 * dayMs)
  await using proxy = await startStub((_, response) => void response.writeHead(200).end(), keys)
  const findings = await doctored.examine({ CONSOLE_URL: proxy.url })
  const mend = /^renew the certificate of the proxy for CONSOLE_URL/
  expectFault(findings, {
    about: 'console address',
    says: /^nobody believes the certificate/,
    mend,
  })
  expectFault(findings, { about: 'console address', says: / ends in 3 days /, mend })
  expectFault(findings, {
    about: 'proxy',
    says: /every caller has its address/,
    mend: /^TRUST_PROXY=/,
  })
  const file = await fileWith('ca.pem', keys.cert)
  expectFault(await doctored.examine({ DATABASE_CA_FILE: file }), {
    about: 'authorities of the database',
    says: / ends in 3 days /,
    mend: /DATABASE_CA_FILE/,
  })
})

test('finds a clock that is two minutes behind the platform’s', async () => {
  await doctored.world.platform.moveClock(120_000, async () => undefined)
  expectFault(await doctored.examine(), {
    about: 'clock',
    says: /^this machine is 1[12]\d s behind the platform/,
    mend: /^timedatectl set-ntp true/,
  })
})
