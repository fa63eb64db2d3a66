import { EXPORT_AT_ONCE_ROWS, type ExportName } from '@meridian/contracts'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { consoleToken, hire, signedInConsole } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let owner: Awaited<ReturnType<typeof signedInConsole>>
const manyRows = EXPORT_AT_ONCE_ROWS + 1

beforeAll(async () => {
  owner = await signedInConsole(world, { email: 'owner@example.com', role: 'owner' })
  const operatorId = await hire(world, { email: 'desk@example.com', role: 'finance' })
  await world.query(
    `INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at)
     VALUES ('2026-11-01', 'matched', 0, 0, 0, business_now())`,
  )
  await world.query(
    `INSERT INTO reconciliation_differences (date, kind, subject, suggested_action)
     SELECT '2026-11-01', 'theirs_only', 'transaction ' || n, 'ask_platform' FROM generate_series(1, $1::int) n`,
    [manyRows],
  )
  await world.query(
    `INSERT INTO rejected_deliveries (reason, source, headers, body)
     SELECT 'bad_signature', '203.0.113.9', '{}', 'body' FROM generate_series(1, $1::int)`,
    [manyRows],
  )
  await world.query(
    `INSERT INTO apple_inquiries (attempt_no, requested_at, let_pass, opinion, evidence)
     SELECT 'M' || n, business_now(), true, 'allow', '' FROM generate_series(1, $1::int) n`,
    [manyRows],
  )
  await world.query(
    `INSERT INTO approval_requests (kind, subject, before, after, requested_by)
     SELECT 'setting', 'setting ' || n, '{}', '{}', $2 FROM generate_series(1, $1::int) n`,
    [manyRows, operatorId],
  )
})

async function download(id: string): Promise<string[][]> {
  const answer = await fetch(`${world.url}/console/exports/kept/${id}`, {
    method: 'POST',
    headers: { 'x-console-token': await consoleToken(world), authorization: `Bearer ${owner.token}` },
  })
  return parse(await answer.text(), { bom: true, relax_column_count: true })
}

const lengthOf = (list: ExportName, query: Record<string, unknown> = {}) =>
  owner.console.export.length.query({ list, query })

test.each(['differences', 'rejected', 'inquiries', 'approvals'] as const)(
  '%s of more than 5,000 rows are counted, and written whole by a worker',
  async (list) => {
    expect(await lengthOf(list)).toEqual({ count: manyRows, more: false })
    const { id } = await owner.console.export.start.mutate({ list, format: 'csv', query: {} })
    await doDueJobs(world)
    const lines = await download(id)
    expect(lines).toHaveLength(manyRows + 2)
    expect(lines.at(-1)?.[0]).toBe(`共 ${manyRows} 行`)
  },
)

test('a list is counted as it is narrowed', async () => {
  expect(await lengthOf('differences', { kind: 'amount' })).toEqual({ count: 0, more: false })
  expect(await lengthOf('differences', { date: '2026-11-01', channel: 'jsapi' })).toMatchObject({
    count: manyRows,
  })
  expect(await lengthOf('rejected', { reason: 'stale_timestamp' })).toMatchObject({ count: 0 })
  expect(await lengthOf('inquiries', { search: 'M17' })).toMatchObject({ count: 1 })
})

test('shipping information still to be told is counted as its list has it', async () => {
  const phone = await world.phone()
  await phone.buysAndPays()
  await plantOrders(world, { count: 3 })
  await world.query(
    `INSERT INTO shipping_uploads (order_id, state) SELECT id, 'failed' FROM orders ON CONFLICT (order_id) DO UPDATE SET state = 'failed'`,
  )
  expect(await lengthOf('shipments')).toEqual({ count: 1, more: false })
  expect(await lengthOf('shipments', { state: 'pending' })).toEqual({ count: 0, more: false })
})
