import { createHash } from 'node:crypto'
import { addFinance, daysOfMonth, monthAfter } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { type Console, hire, problemOf, signInAnew } from '../world/console.ts'
import { passUntil } from '../world/pass-until.ts'
import { askRefund, refundToItsEnd } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const chinaMonth = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 7)
// A month that does not end while it is filled.
const month = chinaMonth(new Date(Date.now() + 2 * 86_400_000))
const next = monthAfter(month, 1)
const { from, to } = daysOfMonth(month)
const at = (day: string, time = '12:00:00') => new Date(`${day}T${time}+08:00`)
let finance: Console
let viewer: Console
let operatorId: string
let refunded: string

async function paid(plan: string, paidAt: Date): Promise<string> {
  const phone = await world.phone()
  const purchase = await phone.buys(plan)
  await phone.pays(purchase, { paidAt })
  return purchase.order.out_trade_no
}

const closeDays = (first: string, last: string) =>
  world.query(
    `INSERT INTO reconciliation_days (date, state, matched_at, closed_by, closed_at)
     SELECT $1::date + n, 'closed', business_now(), $3, business_now() FROM generate_series(0, $2::date - $1::date) n`,
    [first, last, operatorId],
  )

beforeAll(async () => {
  operatorId = await hire(world, { email: 'finance@example.com', role: 'finance' })
  await hire(world, { email: 'viewer@example.com', role: 'viewer' })
  if (Date.now() < at(from).getTime()) await passUntil(world, at(from))
  await paid('monthly', at(from))
  refunded = await paid('quarterly', at(from, '00:00:00'))
  await refundToItsEnd(world, { outTradeNo: refunded, amountFen: 700, operatorId })
  await passUntil(world, at(daysOfMonth(next).from, '18:00:00'))
  finance = (await signInAnew(world, 'finance@example.com')).console
  viewer = (await signInAnew(world, 'viewer@example.com')).console
})

test('a month is closed when every day of it is, and otherwise names those that are not', async () => {
  await closeDays(`${month}-02`, to)
  const nothing = { context: { changesNothing: true } }
  expect(await finance.finance.closeMonth.mutate({ month }, nothing)).toEqual({
    verdict: 'open_days',
    openDays: [from],
  })
  await expect(
    world.query(
      `INSERT INTO month_closings (month, closed_by, line_id, rows, checksum, sums) VALUES ($1, $2, 0, 0, repeat('0', 64), '[]')`,
      [from, operatorId],
    ),
  ).rejects.toThrow('not every day')
  await closeDays(from, from)
  expect(await problemOf(viewer.finance.closeMonth.mutate({ month }))).toBe('forbidden')
  expect(await finance.finance.closeMonth.mutate({ month })).toEqual({ verdict: 'closed', openDays: [] })
  expect(await finance.finance.closeMonth.mutate({ month }, nothing)).toMatchObject({
    verdict: 'already_closed',
  })
})

const readClosing = async () => (await viewer.finance.month.query({ month })).closing

test('the closing holds what the month added up to, and a checksum that its rows give again', async () => {
  const shown = await viewer.finance.month.query({ month })
  expect(shown).toMatchObject({
    changed: null,
    late: [],
    closing: { closedBy: 'finance@example.com', rows: 3 },
  })
  expect(shown.closing?.channels).toEqual(shown.channels)
  expect(addFinance(shown.channels)).toMatchObject({ orders: 2, refunds: 1, refundFen: 700 })
  const rows = await world.query<{ day: string; kind: string; fen: number; count: number; lines: string }>(`
    SELECT day::text, kind, sum(fen)::int AS fen, count(*)::int AS count, string_agg(concat_ws('|', no, fen, at), E'\n' ORDER BY id) AS lines
    FROM (
      SELECT (paid_at AT TIME ZONE 'Asia/Shanghai')::date AS day, 'payment' AS kind, id, out_trade_no AS no, amount_fen AS fen,
        (paid_at AT TIME ZONE 'UTC')::text || '+00' AS at FROM orders WHERE paid_at IS NOT NULL
      UNION ALL
      SELECT (succeeded_at AT TIME ZONE 'Asia/Shanghai')::date, 'refund', id, out_refund_no, amount_fen,
        (succeeded_at AT TIME ZONE 'UTC')::text || '+00' FROM refunds WHERE succeeded_at IS NOT NULL) parts
    GROUP BY 1, 2 ORDER BY 1, 2`)
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  const lines = rows.map(({ day, kind, count, fen, lines }) =>
    [day, kind, 'jsapi', count, fen, sha(lines)].join('|'),
  )
  expect(shown.closing?.checksum).toBe(sha(lines.join('\n')))
  const [entry] = await world.query<{ after: object }>(
    `SELECT after FROM audit_entries WHERE action = 'finance.close_month' AND subject_id = $1`,
    [month],
  )
  expect(entry?.after).toMatchObject({ orders: 2, refunds: 1, rows: 3, checksum: shown.closing?.checksum })
})

test('nobody reopens a closed month: neither the closing nor its days change, by no statement', async () => {
  const forbidden = [
    `UPDATE month_closings SET rows = 0`,
    `DELETE FROM month_closings`,
    `TRUNCATE month_closings`,
    `UPDATE reconciliation_days SET state = 'matched', closed_by = NULL, closed_at = NULL WHERE date = '${from}'`,
    `UPDATE reconciliation_days SET order_fen = 1 WHERE date = '${from}'`,
    `DELETE FROM reconciliation_days WHERE date = '${to}'`,
  ]
  for (const statement of forbidden) await expect(world.query(statement), statement).rejects.toThrow()
})

test('what is learned of after the closing is booked in the month in which it is learned of', async () => {
  const closing = await readClosing()
  const late = await paid('monthly', at(to, '23:59:59'))
  const { outRefundNo } = await askRefund(world, { outTradeNo: refunded, amountFen: 300, operatorId })
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  const theirs = world.platform.refunds.get(outRefundNo)
  if (!theirs) throw new Error('the platform knows the refund')
  Object.assign(theirs, { status: 'SUCCESS', succeededAt: at(to, '20:00:00') })
  expect((await world.platform.deliver(world.platform.refundNotification(outRefundNo))).status).toBe(204)
  const shown = await viewer.finance.month.query({ month })
  expect(shown.closing).toEqual(closing)
  expect(shown.changed).toEqual({ orders: 1, grossFen: 2900, refunds: 1, refundFen: 300, feeFen: 0 })
  expect(shown.late).toEqual([])
  const booked = await viewer.finance.month.query({ month: next })
  expect(booked.late).toMatchObject([
    { kind: 'payment', outTradeNo: late, outRefundNo: null, amountFen: 2900, happenedAt: at(to, '23:59:59') },
    { kind: 'refund', outTradeNo: refunded, outRefundNo, amountFen: 300, happenedAt: at(to, '20:00:00') },
  ])
  expect(addFinance(booked.channels)).toMatchObject({ orders: 0, refunds: 0 })
})

test('a month is closed by a fresh second factor alone', async () => {
  await world.passTime({ minutes: 11 })
  expect(await problemOf(finance.finance.closeMonth.mutate({ month }))).toBe('step_up_required')
})
