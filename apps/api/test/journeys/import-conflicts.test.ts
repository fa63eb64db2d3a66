import type { ImportKind } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { importFile } from '../../src/imports/import-file.ts'
import { undoImport } from '../../src/imports/undo-import.ts'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { purgeExpired } from '../../src/retention/purge-expired.ts'
import { cutAfter } from '../world/cut-off.ts'
import { useImportFiles } from '../world/import-lines.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const write = useImportFiles()

const pool = () => world.services.database.pool
const inDays = (days: number) =>
  new Date(world.services.runtime.now().getTime() + days * 86_400_000).toISOString()

/** An import that is cut off once so many batches are written; called again it goes on. */
async function begin(kind: ImportKind, lines: readonly string[], batches = 0) {
  const file = await write(`${lines.join('\n')}\n`)
  const asked = { file, kind, dryRun: false } as const
  const database = { ...world.services.database, pool: cutAfter(pool(), batches) }
  await expect(importFile({ ...world.services, database }, asked)).rejects.toThrow('cut off')
  return () => importFile(world.services, asked)
}

const bindings = 'source,source_id,openid,serial_number,bound_at'
const orders = 'source,source_id,openid,plan_code,amount_fen,transaction_id,out_trade_no,paid_at'
const many = (head: string, lineOf: (n: number) => string) => [
  head,
  ...Array.from({ length: 600 }, (_, place) => lineOf(place + 1)),
]

/** Somebody who binds this device by the mini-program. */
async function binds(serialNumber: string) {
  const { phone, userId } = await somebody(world)
  const body = { serial_number: serialNumber }
  expect((await phone.call('/devices/bind', { method: 'POST', body })).status).toBe(201)
  return { phone, userId }
}
const bindingsOf = (serialNumber: string) =>
  world.query(
    `SELECT u.openid, b.unbound_at IS NULL AS bound, b.bound_at >= coalesce(
        lag(b.unbound_at) OVER (ORDER BY b.id), '-infinity') AS after_the_last
      FROM bindings b JOIN users u ON u.id = b.user_id WHERE serial_number = $1 ORDER BY b.id`,
    [serialNumber],
  )
const rowsLeft = async () => (await world.query('SELECT 1 FROM import_rows')).length

test('what was taken between the check and the writing is a fault, and nothing is written', async () => {
  const at = inDays(-9)
  const resume = await begin('bindings', [
    bindings,
    `shop,c-1,free_holder,CONF-0001,${at}`,
    `shop,c-2,late_holder,CONF-0002,${at}`,
  ])
  await binds('CONF-0002')
  expect(await resume()).toMatchObject({
    state: 'faulty',
    written: 0,
    faults: [{ line: 3, column: 'serial_number', code: 'device_taken' }],
  })
  expect(await bindingsOf('CONF-0001')).toEqual([])
  expect(await rowsLeft()).toBe(0)
})

test('a device that is bound while the file is written stays with its holder, and the file is written to its end', async () => {
  const serialOf = (n: number) => `LATE-${String(n).padStart(4, '0')}`
  const lineOf = (n: number) => `shop,l-${n},late_${n},${serialOf(n)},${inDays(-9)}`
  const resume = await begin('bindings', many(bindings, lineOf), 1)
  const { phone } = await binds(serialOf(600))
  const done = await resume()
  expect(done).toMatchObject({ state: 'done', lines: 600, written: 599, users: 599 })
  expect(await bindingsOf(serialOf(600))).toEqual([
    { openid: phone.openid, bound: true, after_the_last: true },
  ])
  expect(await bindingsOf(serialOf(599))).toMatchObject([{ openid: 'late_599', bound: true }])
  expect((await resume()).faults).toEqual([{ line: 601, column: 'serial_number', code: 'device_taken' }])
  expect(await undoImport(pool(), done.id)).toEqual({ obstacles: [], lines: 599 })
})

test('of two files with one order, number or transaction, the later one has a fault or leaves it out', async () => {
  const at = inDays(-9)
  const lineOf = (source: string) => (n: number) =>
    `${source},t-${n},twice_${source}_${n},monthly,2900,${n > 599 ? '4200000000000000000000000600' : ''},TWO-${n > 598 ? '' : source}${n},${at}`
  const slow = await begin('orders', many(orders, lineOf('slow')), 1)
  const unbegun = await begin('orders', [orders, lineOf('late')(599)])
  const quick = await begin('orders', [
    orders,
    lineOf('quick')(599),
    lineOf('quick')(600).replace('TWO-600', 'OWN-600'),
  ])
  expect(await quick()).toMatchObject({ state: 'done', written: 2 })
  expect(await unbegun()).toMatchObject({
    state: 'faulty',
    faults: [{ line: 2, column: 'out_trade_no', code: 'number_taken' }],
  })
  expect(await slow()).toMatchObject({ state: 'done', lines: 600, written: 598, users: 598, fen: 598 * 2900 })
  expect(await checkInvariants(pool())).toEqual([])
})

test('lines that wait to be written are forgotten with the uploads, and the import is over', async () => {
  const header = 'source,source_id,openid,days'
  const lineOf = (n: number) => `shop,p-${n},purged_${n},3`
  const resume = await begin('subscribers', many(header, lineOf), 1)
  await world.passTime({ days: 6 })
  await purgeExpired(pool())
  expect(await rowsLeft()).toBe(100)
  await world.passTime({ days: 2 })
  await purgeExpired(pool())
  expect(await rowsLeft()).toBe(0)
  expect(
    await world.query(`SELECT state::text, written, lines FROM imports WHERE kind = 'subscribers'`),
  ).toEqual([{ state: 'done', written: 500, lines: 600 }])
  expect(await resume()).toMatchObject({ state: 'done', lines: 600, written: 600, users: 100, days: 300 })
})

test('a device that another person gave up is bound from that moment on, not from an earlier one', async () => {
  const { phone } = await binds('PAST-0001')
  await phone.call('/devices/unbind', { method: 'POST', body: { serial_number: 'PAST-0001' } })
  const resume = await begin('bindings', [bindings, `shop,x-1,past_holder,PAST-0001,${inDays(-5)}`])
  expect(await resume()).toMatchObject({ state: 'done', written: 1 })
  expect(await bindingsOf('PAST-0001')).toEqual([
    { openid: phone.openid, bound: false, after_the_last: true },
    { openid: 'past_holder', bound: true, after_the_last: true },
  ])
})
