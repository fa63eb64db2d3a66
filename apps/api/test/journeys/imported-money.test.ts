import { addFinance, daysOfMonth, monthAfter } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { reconcileByClock } from '../../src/doors/jobs/catch-up-with-platform.ts'
import { findDay, listDifferences } from '../../src/reconciliation/show-reconciliation.ts'
import { newSystem, type System } from '../world/api-key.ts'
import { type Console, hire, signInAnew } from '../world/console.ts'
import { doDueJobs, doJob } from '../world/do-jobs.ts'
import { passUntil } from '../world/pass-until.ts'
import { call } from '../world/phone.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const at = (day: string, time: string) => new Date(`${day}T${time}+08:00`)
// A month that begins and ends while the test looks on.
const month = monthAfter(new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7), 1)
const { from: soldDay, to: lastDay } = daysOfMonth(month)
const refundDay = `${month}-02`
let owner: Console
let operatorId: string
let importing: System

/** A payment that another system took under our merchant. Answers its transaction. */
async function paidElsewhere(outTradeNo: string): Promise<string> {
  const { payments } = world.services
  if (!payments) throw new Error('payments are configured')
  const { openid } = await world.phone()
  const expiresAt = new Date(at(soldDay, '14:00:00'))
  await payments.prepay({
    outTradeNo,
    description: 'Month',
    amountFen: 1900,
    payerOpenid: openid,
    expiresAt,
  })
  await world.platform.pay(outTradeNo, { silent: true })
  return world.platform.orders.get(outTradeNo)?.payments[0]?.transactionId ?? ''
}

async function importOrders(lines: readonly string[]): Promise<void> {
  const body = [
    'source,source_id,openid,plan_code,amount_fen,transaction_id,out_trade_no,paid_at',
    ...lines,
  ].join('\n')
  const answer = await call(`${world.url}/api/v1/integration/imports?kind=orders`, {
    method: 'POST',
    token: importing.key,
    headers: { 'content-type': 'text/csv' },
    body,
  })
  expect(answer.status).toBe(202)
  await doDueJobs(world)
}

const differences = async (date: string) =>
  (await listDifferences(world.services.database.pool, { date, limit: 100 }, 'masked')).items
const totals = (date: string) => findDay(world.services.database.pool, date)
const reconcile = (date: string) => reconcileByClock(world.services, { date })

beforeAll(async () => {
  await passUntil(world, at(soldDay, '12:00:00'))
  operatorId = await hire(world, { email: 'owner@example.com', role: 'owner' })
  owner = (await signInAnew(world, 'owner@example.com')).console
  importing = await newSystem(world, owner, { scopes: ['imports:write'] })
})

test('payments of another system in our bill are explained once their orders are imported, by number or by transaction', async () => {
  const paidAt = at(soldDay, '12:00:00').toISOString()
  const named = await paidElsewhere('OLD-000001')
  const unnamed = await paidElsewhere('OLD-000002')
  const wrong = await paidElsewhere('OLD-000003')
  await (await world.phone()).buysAndPays('monthly')
  await passUntil(world, at(refundDay, '10:30:00'))
  await reconcile(soldDay)
  const kinds = async () => (await differences(soldDay)).map(({ kind, state }) => `${kind} ${state}`).sort()
  expect(await kinds()).toEqual(['theirs_only open', 'theirs_only open', 'theirs_only open'])

  await importOrders([
    `shop,1,old_a,monthly,1900,${named},OLD-000001,${paidAt}`,
    `shop,2,old_b,monthly,1900,${unnamed},,${paidAt}`,
    `shop,3,old_c,monthly,2900,${wrong},OLD-000003,${paidAt}`,
  ])
  await reconcile(soldDay)
  const explained = (await differences(soldDay)).filter(({ resolution }) => resolution === 'imported_order')
  expect(explained.map(({ transactionId }) => transactionId).sort()).toEqual([named, unnamed].sort())
  expect(await differences(soldDay)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'amount', state: 'open', transactionId: wrong }),
      expect.objectContaining({ kind: 'theirs_only', resolution: 'no_longer_found', transactionId: wrong }),
    ]),
  )
  expect(await differences(soldDay)).toHaveLength(4)
  expect(await totals(soldDay)).toMatchObject({ orderFen: 2900, ledgerFen: 2900, billFen: 8600 })
})

test('a refund of an imported order is the same money in bill, day, month, closing and for who evaluates', async () => {
  await refundToItsEnd(world, { outTradeNo: 'OLD-000001', amountFen: 1200, operatorId })
  await passUntil(world, at(`${month}-03`, '10:30:00'))
  await reconcile(refundDay)
  expect(await differences(refundDay)).toEqual([])
  expect(await totals(refundDay)).toMatchObject({ state: 'matched', explained: true })
  await doJob(world, 'add_up', {})
  owner = (await signInAnew(world, 'owner@example.com')).console
  const revenue = await owner.dashboard.revenue.query({ from: soldDay, to: refundDay })
  expect(revenue.days).toMatchObject([
    { day: soldDay, orders: 1, grossFen: 2900, refundFen: 0 },
    { day: refundDay, orders: 0, grossFen: 0, refundFen: 1200 },
  ])
  const views = await world.query(`
    SELECT day::text, 'payments' AS what, sum(amount_fen)::int AS fen FROM reporting.payments_by_day GROUP BY 1
    UNION ALL SELECT day::text, 'refunds', sum(amount_fen)::int FROM reporting.refunds_by_day GROUP BY 1 ORDER BY 1`)
  expect(views).toEqual([
    { day: soldDay, what: 'payments', fen: 2900 },
    { day: refundDay, what: 'refunds', fen: 1200 },
  ])

  await passUntil(world, at(daysOfMonth(monthAfter(month, 1)).from, '18:00:00'))
  await world.query(
    `INSERT INTO reconciliation_days (date, state, matched_at, closed_by, closed_at)
     SELECT $1::date + n, 'closed', business_now(), $3, business_now() FROM generate_series(0, $2::date - $1::date) n
     ON CONFLICT (date) DO UPDATE SET state = 'closed', closed_by = $3, closed_at = business_now()`,
    [soldDay, lastDay, operatorId],
  )
  owner = (await signInAnew(world, 'owner@example.com')).console
  expect(await owner.finance.closeMonth.mutate({ month })).toMatchObject({ verdict: 'closed' })
  const { channels, closing } = await owner.finance.month.query({ month })
  expect(addFinance(channels)).toMatchObject({ orders: 1, grossFen: 2900, refunds: 1, refundFen: 1200 })
  expect(closing).toMatchObject({ rows: 2, channels })
})
