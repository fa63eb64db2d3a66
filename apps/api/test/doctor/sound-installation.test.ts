import { expect, test } from 'vitest'
import { publicAddressesOf } from '../../src/doctor/checks/addresses.ts'
import { judgeNotifyUrl } from '../../src/doctor/checks/notify-address.ts'
import { everyAbout } from '../../src/doctor/examine.ts'
import { endsIn } from '../../src/doctor/finding.ts'
import { hideSecrets } from '../../src/doctor/hide-secrets.ts'
import { runCommand } from '../world/api-process.ts'
import { faultsOf, openDoctoredWorld } from '../world/doctored-world.ts'
import { useOpened } from '../world/use-opened.ts'

const doctored = useOpened(openDoctoredWorld)

test('a sound installation has no fault, and every check says that something is well', async () => {
  const findings = await doctored.examine()
  expect(faultsOf(findings)).toEqual([])
  const isWell = (about: string) =>
    findings.some((finding) => finding.about === about && finding.level === 'well')
  // Node 20 of the developers is a warning, and a pooler's user without limits is one.
  expect(everyAbout.filter((about) => !isWell(about) && about !== 'program')).toEqual([])
  const warnings = findings.filter(
    ({ about, level, says }) => level === 'warning' && about !== 'pooler' && !says.startsWith('Node '),
  )
  expect(warnings.map(({ says }) => says)).toEqual(['the payment platform is a sandbox: no real money moves'])
})

test('the command prints every finding under what it is about, and ends with 0 without a fault', async () => {
  await doctored.examine()
  const { code, stdout, stderr } = await runCommand('doctor', { env: doctored.environment })
  expect([code, stderr]).toEqual([0, ''])
  const headings = stdout.split('\n').filter((line) => /^[A-Za-z]/.test(line))
  expect(headings).toEqual([...new Set(everyAbout)])
  expect(stdout).toMatch(/\n\d+ well, \d worth a thought, 0 to mend/)
})

test('the command ends with 1 and the lines that mend it where something is wrong', async () => {
  const environment = { ...doctored.environment, JWT_SECRET: 'short', TRUST_PROXY: '0.0.0.0/0' }
  const { code, stdout } = await runCommand('doctor', { env: environment })
  expect(code).toBe(1)
  expect(stdout).toContain('✖ JWT_SECRET: must have at least 32 bytes')
  expect(stdout).toContain('→ JWT_SECRET=… the output of openssl rand -hex 32')
  expect(stdout).toMatch(/^0 well, 0 worth a thought, 2 to mend/m)
})

test('a test goes through every channel, and who took it is said and kept', async () => {
  const { world, robot } = doctored
  await world.query(`UPDATE alert_channels SET last_success_at = NULL`)
  const before = await doctored.examine()
  expect(faultsOf(before)).toMatchObject([{ about: 'alarms', mend: 'npm run doctor -- --test-alarms' }])
  const sent = robot.taken.length
  const tested = await doctored.examine({}, { testAlarms: true })
  expect(robot.taken.length).toBe(sent + 1)
  expect(tested.filter(({ about }) => about === 'alarms')).toContainEqual(
    expect.objectContaining({
      level: 'well',
      says: expect.stringMatching(/^wecom 127\.0\.0\.1:\d+ took a test/),
    }),
  )
  expect(faultsOf(await doctored.examine())).toEqual([])
})

test('a reason that repeats a password or a key is shown without it', () => {
  const says = 'no way to postgresql://u:pass%20word1@db/x with pass word1, and key-0123456789 refused'
  const environment = {
    DATABASE_URL: 'postgresql://u:pass%20word1@db/x',
    JWT_SECRET: 'key-0123456789,older-key',
  }
  const [shown] = hideSecrets([{ about: 'database', level: 'fault', says }], environment)
  expect(shown?.says).toBe('no way to ••• with •••, and ••• refused')
})

test('a certificate is well, worth a thought in its last month and a fault in its last week', () => {
  const now = new Date('2026-11-26T00:00:00Z')
  const after = (days: number) =>
    endsIn('it', new Date(now.getTime() + days * 86_400_000), { now, mend: 'renew' })
  expect([31, 30, 29, 7, 6, 0, -1].map((days) => after(days).level)).toEqual([
    ...['well', 'well', 'warning', 'warning', 'fault', 'fault', 'fault'],
  ])
  expect(after(-2).says).toBe('it ended 2 days ago')
})

test('what listens on every address of a machine is public where one of them is', () => {
  const own = ['127.0.0.1', '10.0.0.5', '8.8.4.4', '::1']
  expect(publicAddressesOf('0.0.0.0', own)).toEqual(['8.8.4.4'])
  expect(publicAddressesOf('::', ['127.0.0.1', '172.17.0.2'])).toEqual([])
  expect(publicAddressesOf('10.0.0.5', own)).toEqual([])
})

test('at the official platform a notification address of this machine is a fault, at a sandbox none', () => {
  const url = new URL('http://127.0.0.1:4000/api/v1/payment/notify')
  expect(judgeNotifyUrl(url, 'official')).toMatchObject([{ level: 'fault' }])
  expect(judgeNotifyUrl(url, 'sandbox')).toEqual([])
})
