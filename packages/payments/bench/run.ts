import { createDecipheriv, createPrivateKey, createPublicKey, sign as signNow, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { tradeBillLayout } from '../src/bills/bill-layouts.ts'
import { readTable } from '../src/bills/read-table.ts'
import { apiV3KeyObject } from '../src/cipher.ts'
import { createPayments, systemRuntime } from '../src/index.ts'
import { answerMessage, sign, signatureHolds } from '../src/signature.ts'
import { createPlatform } from '../src/testing/index.ts'
import { sealResource, signatureHeaders } from '../src/testing/sign-and-seal.ts'
import { aTransaction } from '../test/world/sealed-notification.ts'
import { billOfRows } from './bill-of-rows.ts'
import { compare, print, times } from './measure.ts'

const now = new Date()
const { keys, settings } = createPlatform()
const payments = createPayments(settings('http://127.0.0.1:1'), { ...systemRuntime, now: () => now })
const transaction = { ...aTransaction, mchid: keys.mchId, appid: keys.appId }

function aNotification() {
  const resource = sealResource(JSON.stringify(transaction), {
    apiV3Key: keys.apiV3Key,
    associatedData: 'transaction',
  })
  const head = { id: '00000000-0000-5000-8000-000000000001', create_time: '2026-01-01T20:00:00+08:00' }
  const type = { resource_type: 'encrypt-resource', event_type: 'TRANSACTION.SUCCESS', summary: '支付成功' }
  const body = Buffer.from(
    JSON.stringify({ ...head, ...type, resource: { original_type: 'transaction', ...resource } }),
  )
  const key = { serial: keys.publicKey.id, privateKey: createPrivateKey(keys.publicKey.privateKey) }
  const named = Object.entries(signatureHeaders({ body, key, now }))
  return {
    resource,
    body,
    headers: Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value])),
  }
}

const { resource, body, headers } = aNotification()
const { 'wechatpay-timestamp': timestamp = '', 'wechatpay-nonce': nonce = '' } = headers
const { 'wechatpay-signature': signature = '' } = headers
const message = Buffer.concat(answerMessage(timestamp, nonce, body))
const publicKey = createPublicKey(keys.publicKey.publicKey)
const signatureBytes = Buffer.from(signature, 'base64')
const apiV3Key = apiV3KeyObject(keys.apiV3Key)
const text = body.toString('utf8')

/** What cannot be saved, from the same bytes: one verification, one decryption, two parses. */
function bareReading(): unknown {
  if (!verify('RSA-SHA256', message, publicKey, signatureBytes)) throw new Error('does not verify')
  JSON.parse(body.toString('utf8'))
  const sealed = Buffer.from(resource.ciphertext, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, resource.nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  decipher.setAAD(Buffer.from(resource.associated_data))
  return JSON.parse(decipher.update(sealed.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8'))
}

async function signatures() {
  const merchantKey = createPrivateKey(keys.merchant.privateKey)
  const bare = promisify(signNow)
  const bytes = Buffer.from(text, 'utf8')
  const many = 32
  const inParallel = (one: () => Promise<unknown>) => async () => {
    await Promise.all(Array.from({ length: many }, one))
    return many
  }
  print(
    await compare('signatures made', {
      ours: inParallel(() => sign(text, merchantKey)),
      floor: inParallel(() => bare('RSA-SHA256', bytes, merchantKey)),
    }),
  )
  print(
    await compare('signatures verified', {
      ours: times(200, () => signatureHolds([message], signature, publicKey)),
      floor: times(200, () => verify('RSA-SHA256', message, publicKey, signatureBytes)),
    }),
  )
}

async function notifications() {
  const read = () => payments.readNotification({ headers, body })
  print(await compare('notifications read', { ours: times(200, read), floor: times(200, bareReading) }))
}

const BILL_ROWS = Number(process.env['BENCH_BILL_ROWS'] ?? 1_000_000)

/** Rows by the floor: split the bytes at line ends and make each line a text, nothing else. */
async function bareRows(count: number): Promise<number> {
  let rows = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of billOfRows(count)) {
    const bytes =
      rest.length === 0
        ? Buffer.from(piece.buffer, piece.byteOffset, piece.length)
        : Buffer.concat([rest, piece])
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      rows += bytes.toString('utf8', from, end).length > 0 ? 1 : 0
      from = end + 1
    }
    rest = bytes.subarray(from)
  }
  return rows
}

async function bills() {
  const few = 20_000
  const ours = async () => {
    let rows = 0
    for await (const row of readTable(billOfRows(few), tradeBillLayout))
      rows += row.kind === 'payment' ? 1 : 0
    return rows
  }
  print(await compare('bill rows parsed', { ours, floor: () => bareRows(few) }))

  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let highest = 0
  let rows = 0
  const started = performance.now()
  for await (const row of readTable(billOfRows(BILL_ROWS), tradeBillLayout)) {
    rows += row.orderFen > 0 ? 1 : 0
    if (rows % 20_000 === 0) highest = Math.max(highest, process.memoryUsage().rss - before)
  }
  const seconds = (performance.now() - started) / 1000
  const megabytes = Math.round(highest / 1024 / 1024)
  console.log(
    `a bill of ${rows.toLocaleString('en')} rows: ${seconds.toFixed(1)} s, at most ${megabytes} MB more than before`,
  )
}

await signatures()
await notifications()
await bills()
