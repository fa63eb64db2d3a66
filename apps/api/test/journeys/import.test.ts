import type { ImportKind } from '@meridian/contracts'
import { column, execute, Prisma, query } from '@meridian/db'
import { describe, expect, test } from 'vitest'
import { importFile } from '../../src/imports/import-file.ts'
import { undoImport } from '../../src/imports/undo-import.ts'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { hire, idOf } from '../world/console.ts'
import { useImportFiles } from '../world/import-lines.ts'
import { askRefund } from '../world/send-refund.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { bindWithProof, plantWearable } from '../world/wearable.ts'

const world = useTestWorld()
const write = useImportFiles()

type Taking = { dryRun?: boolean; payments?: typeof world.services.payments }
/** Imports these lines, of which the first names the columns. */
async function take(
  kind: ImportKind,
  lines: readonly string[],
  { dryRun = false, payments = world.services.payments }: Taking = {},
) {
  const file = await write(`${lines.join('\n')}\n`)
  return importFile({ ...world.services, payments }, { file, kind, dryRun })
}

const dayMs = 86_400_000
const inDays = (days: number) => new Date(world.services.runtime.now().getTime() + days * dayMs).toISOString()
const pool = () => world.services.database.pool

const endOf = async (openid: string) => {
  const [row] = await execute(
    pool(),
    query(
      null,
      Prisma.sql`SELECT to_json(s.expires_at) #>> '{}' AS "expiresAt", s.seq FROM users u JOIN subscriptions s ON s.user_id = u.id WHERE u.openid = ${openid}`,
      {
        expiresAt: {
          ...column.text,
          accepts: (value: unknown): value is string | null => value === null || typeof value === 'string',
        },
        seq: column.integer,
      },
    ),
  )
  return row
}
const countOf = async (table: Prisma.Sql) =>
  (
    await execute(
      pool(),
      query(null, Prisma.sql`SELECT count(*)::int AS n FROM ${table}`, { n: column.integer }),
    )
  )[0]?.n

const subscribers = 'source,source_id,openid,nickname,plan_code,expires_at,days,features'
const orders = 'source,source_id,openid,plan_code,amount_fen,transaction_id,out_trade_no,paid_at,days'
const bindings = 'source,source_id,openid,serial_number,bound_at'

describe('subscribers', () => {
  test('keep the very end they had, or get their days from now, and nothing is made of who ended', async () => {
    const end = inDays(40.5)
    const lines = [
      subscribers,
      `shop,s-1,imported_a,Lin,monthly,${end},,report_detail`,
      'shop,s-2,imported_b,,,,10,',
      `shop,s-3,imported_c,,,${inDays(-3)},,`,
    ]
    const dry = await take('subscribers', lines, { dryRun: true })
    expect(dry).toMatchObject({ state: 'checked', lines: 3, users: 3, days: 51, fen: 0, faults: [] })
    expect(await endOf('imported_a')).toBeUndefined()
    const done = await take('subscribers', lines)
    expect(done).toMatchObject({ state: 'done', lines: 3, written: 3, users: 3, days: 51, fen: 0 })
    expect(Date.parse((await endOf('imported_a'))?.expiresAt ?? '')).toBe(Date.parse(end))
    expect(await endOf('imported_b')).toMatchObject({ seq: 1 })
    expect(await endOf('imported_c')).toEqual({ expiresAt: null, seq: 0 })
    const again = await take('subscribers', lines)
    expect(again).toMatchObject({ state: 'done', lines: 3, users: 0, days: 0 })
    expect(await endOf('imported_a')).toMatchObject({ seq: 1 })
    expect(await checkInvariants(pool())).toEqual([])
  })

  test('of a file with one fault nothing is written, and each fault is told with its line', async () => {
    const before = await countOf(Prisma.sql`users`)
    const faulty = await take('subscribers', [
      subscribers,
      'shop,f-1,fault_a,,,,10,',
      'shop,f-1,fault_b,,,,10,',
      `shop,f-3,fault_c,,gone,${inDays(3)},4,`,
      'shop,f-4,fault d,,,,x,Upper',
      `shop,f-5,fault_e,,,${inDays(4000)},,`,
      'shop,f-6,fault_f,,gone,,10,',
    ])
    expect(faulty).toMatchObject({ state: 'faulty', users: 0, days: 0, written: 0 })
    expect(faulty.faults).toEqual([
      { line: 3, column: 'source_id', code: 'source_id_repeated' },
      { line: 4, column: 'expires_at', code: 'expires_at_or_days' },
      { line: 5, column: 'openid', code: 'openid_form' },
      { line: 5, column: 'days', code: 'days_form' },
      { line: 5, column: 'features', code: 'features_form' },
      { line: 6, column: 'expires_at', code: 'too_far' },
      { line: 7, column: 'plan_code', code: 'plan_unknown' },
    ])
    expect(await countOf(Prisma.sql`users`)).toBe(before)
    expect(await countOf(Prisma.sql`import_rows`)).toBe(0)
    expect((await take('subscribers', ['source,source_id,colour'])).faults).toEqual([
      { line: 1, column: 'colour', code: 'column_unknown' },
      { line: 1, column: 'openid', code: 'column_missing' },
    ])
  })
})

describe('orders', () => {
  test('are paid as they were, newest first in the file or not, and count from the day they were paid', async () => {
    const lines = [
      orders,
      `shop,o-2,buyer_a,monthly,2900,4200000000000000000000000002,OLD-0002,${inDays(-10)},`,
      `shop,o-1,buyer_a,monthly,2900,,x,${inDays(-40)},`,
      `shop,o-3,buyer_b,yearly,26800,,OLD-0003,${inDays(-5)},0`,
    ]
    const dry = await take('orders', lines, { dryRun: true })
    expect(dry).toMatchObject({ state: 'checked', lines: 3, users: 2, days: 60, fen: 32_600 })
    const done = await take('orders', lines)
    expect(done).toMatchObject({ state: 'done', users: 2, days: 60, fen: 32_600 })
    const end = Date.parse((await endOf('buyer_a'))?.expiresAt ?? '')
    expect(Math.abs(end - Date.parse(inDays(20)))).toBeLessThan(60_000)
    expect(await endOf('buyer_b')).toEqual({ expiresAt: null, seq: 0 })
    const kept = await execute(
      pool(),
      query(
        null,
        Prisma.sql`SELECT out_trade_no AS no, status, imported, duration_days AS days FROM orders WHERE imported ORDER BY paid_at`,
        { no: column.text, status: column.text, imported: column.boolean, days: column.integer },
      ),
    )
    expect(kept).toEqual([
      { no: expect.stringMatching(/^M[0-9A-Z]{26}$/), status: 'paid', imported: true, days: 30 },
      { no: 'OLD-0002', status: 'paid', imported: true, days: 30 },
      { no: 'OLD-0003', status: 'paid', imported: true, days: 365 },
    ])
    expect(await take('orders', lines)).toMatchObject({ state: 'done', users: 0, days: 0, fen: 0 })
    expect(await checkInvariants(pool())).toEqual([])
    const clash = await take('orders', [
      orders,
      `shop,o-9,buyer_c,monthly,2900,4200000000000000000000000002,OLD-0002,${inDays(-1)},`,
      `shop,o-8,buyer_c,monthly,0,,OLD-8,${inDays(2)},`,
      `shop,o-7,buyer_c,monthly,1,,OLD-7,${inDays(2)},`,
    ])
    expect(clash.faults.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 number_taken',
      '2 transaction_taken',
      '3 amount_form',
      '4 in_future',
    ])
  })

  test('taken back they give their numbers back, and can be imported again', async () => {
    const lines = [orders, `shop,u-1,buyer_u,monthly,2900,4200000000000000000000000009,UNDO-1,${inDays(-3)},`]
    const { id } = await take('orders', lines)
    expect(await undoImport(pool(), id)).toEqual({ obstacles: [], lines: 1 })
    expect(Date.parse((await endOf('buyer_u'))?.expiresAt ?? '')).toBeLessThanOrEqual(Date.parse(inDays(0)))
    expect(await checkInvariants(pool())).toEqual([])
    await expect(undoImport(pool(), id)).rejects.toThrow(/undone/)
    expect(await take('orders', lines)).toMatchObject({ state: 'done', users: 1, days: 30, fen: 2900 })
    expect(await checkInvariants(pool())).toEqual([])
  })
})

test('an imported order is refunded by its transaction alone, and then stays', async () => {
  await hire(world, { email: 'refunds@example.com' })
  const operatorId = await idOf(world, 'refunds@example.com')
  const lines = [
    orders,
    `shop,r-1,buyer_r,monthly,2900,4200000000000000000000000042,REFUND-1,${inDays(-1)},`,
    `shop,r-2,buyer_r,monthly,2900,,REFUND-2,${inDays(-1)},0`,
  ]
  const { id } = await take('orders', lines)
  const ask = (outTradeNo: string) => askRefund(world, { outTradeNo, amountFen: 2900, operatorId })
  await expect(ask('REFUND-2')).rejects.toMatchObject({ code: 'refund_not_possible' })
  const unknown = [
    orders,
    `shop,r-3,buyer_r,monthly,2900,4200000000000000000000000043,REFUND-3,${inDays(-1)},0`,
  ]
  await take('orders', unknown, { payments: null })
  await expect(ask('REFUND-3')).rejects.toMatchObject({ code: 'refund_not_possible' })
  expect(await ask('REFUND-1')).toMatchObject({ status: 'approved' })
  expect((await undoImport(pool(), id)).obstacles).toEqual([{ line: 2, why: 'refunded' }])
  expect(await checkInvariants(pool())).toEqual([])
})

describe('bindings', () => {
  test('are taken over once, and ended where the import is taken back', async () => {
    const { phone } = await somebody(world)
    const wearable = await plantWearable(world)
    await bindWithProof(phone, wearable)
    const lines = [bindings, `shop,b-1,holder_a,IMP-0001,${inDays(-9)}`]
    const faulty = await take('bindings', [
      ...lines,
      `shop,b-2,holder_a,${wearable.serialNumber},${inDays(-9)}`,
    ])
    expect(faulty.faults).toEqual([{ line: 3, column: 'serial_number', code: 'device_taken' }])
    const { id, ...done } = await take('bindings', lines)
    expect(done).toMatchObject({ state: 'done', lines: 1, users: 1, days: 0, fen: 0 })
    expect(await undoImport(pool(), id)).toEqual({ obstacles: [], lines: 1 })
    expect(await countOf(Prisma.sql`bindings WHERE serial_number = 'IMP-0001' AND unbound_at IS NULL`)).toBe(
      0,
    )
  })
})

test('an import whose people have moved on stays as it is, and says whose', async () => {
  const { phone } = await somebody(world)
  const { id } = await take('subscribers', [
    subscribers,
    `shop,m-1,${phone.openid},,,,5,`,
    'shop,m-2,moved_b,,,,5,',
  ])
  await phone.buysAndPays('monthly')
  expect(await undoImport(pool(), id)).toEqual({
    obstacles: [{ line: 2, why: 'later_ledger_entry' }],
    lines: 0,
  })
  expect(await endOf('moved_b')).toMatchObject({ seq: 1 })
})
