import { describe, expect, test } from 'vitest'
import { followPayments } from '../../src/payments/follow-payment.ts'
import { closeUnpaidOrder } from '../../src/payments/settle-order.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { codeOf, type Phone } from '../world/phone.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

const pool = () => world.services.database.pool

const setLatePolicy = (policy: string) => setSetting(world, 'late_payment_policy', policy)

async function orderOf(outTradeNo: string, columns: string) {
  const [order] = await world.query(`SELECT ${columns} FROM orders WHERE out_trade_no = $1`, [outTradeNo])
  return order
}
const eventsOf = (outTradeNo: string, kind: string) =>
  world.query(
    `SELECT e.channel, e.from_status::text AS before, e.to_status::text AS after, e.detail
     FROM order_events e JOIN orders o ON o.id = e.order_id WHERE o.out_trade_no = $1 AND e.kind = $2 ORDER BY e.id`,
    [outTradeNo, kind],
  )
const alertsOf = (subject: string) =>
  world.query<{ kind: string; detail: unknown; times: number }>(
    'SELECT kind, detail, times FROM alerts WHERE subject = $1 ORDER BY id',
    [subject],
  )
const inboxOf = async (id: string) => {
  const [kept] = await world.query(
    'SELECT outcome::text, out_trade_no AS "outTradeNo", detail FROM notifications WHERE id = $1',
    [id],
  )
  return kept
}
const paymentsOf = (outTradeNo: string) => world.platform.orders.get(outTradeNo)?.payments ?? []

test('a payment keeps on its order what the platform said, when that was and how it was learnt', async () => {
  const { outTradeNo } = await payInSilence(world)
  await world.passTime({ minutes: 5 })
  expect((await deliver(world, outTradeNo)).status).toBe(204)
  const [payment] = paymentsOf(outTradeNo)
  const columns = `transaction_id AS tx, trade_type AS trade, bank_type AS bank, date_trunc('second', paid_at) AS paid,
    confirmed_by::text AS by, confirmed_at BETWEEN paid_at + interval '5 minutes' AND business_now() AS learnt, payer_differs AS other,
    late, parked, park_reason AS reason`
  const paid = new Date(Math.floor((payment?.paidAt.getTime() ?? 0) / 1000) * 1000)
  expect(await orderOf(outTradeNo, columns)).toEqual({
    ...{ tx: payment?.transactionId, trade: 'JSAPI', bank: payment?.bankType, paid, by: 'notification' },
    ...{ learnt: true, other: false, late: false, parked: false, reason: null },
  })
  expect(await eventsOf(outTradeNo, 'pay')).toEqual([
    {
      ...{ channel: 'notification', before: 'prepay', after: 'paid' },
      detail: { transaction_id: payment?.transactionId, late: false, parked: false },
    },
  ])
})

describe('a payment', () => {
  type Case = { policy: string; closed: boolean; minutes: number; elsewhere?: true }
  type Left = { late: boolean; reason: string | null; refunds: number[]; days: number }

  /** Paid so many minutes after the order's end, under this policy: what is left of it. */
  async function paid({ policy, closed, minutes, elsewhere }: Case): Promise<Left> {
    const phone = await world.phone()
    const { order } = await phone.buys()
    const outTradeNo = order.out_trade_no
    const closing = {
      outTradeNo,
      channel: 'jsapi',
      confirmedBy: 'sweep',
      requestId: null,
      reason: 'expired',
    } as const
    if (closed) await closeUnpaidOrder(world.services, closing)
    const paidAt = new Date(new Date(order.expires_at).getTime() + minutes * 60_000)
    await world.platform.pay(outTradeNo, { late: true, silent: true, paidAt })
    if (elsewhere) Object.assign(world.platform.orders.get(outTradeNo) ?? {}, { state: 'REFUND' })
    await setLatePolicy(policy)
    await phone.syncs(outTradeNo)
    await setLatePolicy('activate')
    return leftOf(phone, outTradeNo)
  }

  async function leftOf(phone: Phone, outTradeNo: string): Promise<Left> {
    const [order] = await world.query<Pick<Left, 'late' | 'reason' | 'refunds'> & { parked: boolean }>(
      `SELECT late, parked, park_reason AS reason, ARRAY(SELECT amount_fen FROM refunds r WHERE r.order_id = o.id) AS refunds
       FROM orders o WHERE out_trade_no = $1 AND status = 'paid'`,
      [outTradeNo],
    )
    if (!order) throw new Error('the order was not paid')
    const { parked, ...left } = order
    expect(await eventsOf(outTradeNo, 'pay')).toMatchObject([{ detail: { late: left.late, parked } }])
    expect(parked).toBe(left.reason !== null)
    return { ...left, days: (await phone.subscription()).remaining_days }
  }

  const granted = { late: false, reason: null, refunds: [], days: 30 }
  const waits = (reason: string, late: boolean) => ({ late, reason, refunds: [], days: 0 })

  test.each<{ name: string; given: Case; left: Left }>([
    {
      name: 'in time of an order that was closed is not late, and not asked about',
      given: { policy: 'ask', closed: true, minutes: -1 },
      left: granted,
    },
    {
      name: 'in time of an order that was closed does not go back',
      given: { policy: 'refund', closed: true, minutes: -1 },
      left: granted,
    },
    {
      name: 'after the end of an order that is still open is not late, and not asked about',
      given: { policy: 'ask', closed: false, minutes: 1 },
      left: granted,
    },
    {
      name: 'after the end of an order that is still open does not go back',
      given: { policy: 'refund', closed: false, minutes: 1 },
      left: granted,
    },
    {
      name: 'that is late gives its days where the policy says so',
      given: { policy: 'activate', closed: true, minutes: 1 },
      left: { ...granted, late: true },
    },
    {
      name: 'that is late waits where somebody is to be asked',
      given: { policy: 'ask', closed: true, minutes: 1 },
      left: waits('late_payment', true),
    },
    {
      name: 'that is late goes back whole, without days, where the policy says so',
      given: { policy: 'refund', closed: true, minutes: 1 },
      left: { late: true, reason: null, refunds: [2900], days: 0 },
    },
    ...(['activate', 'ask', 'refund'] as const).map((policy) => ({
      name: `that is late and went back elsewhere waits for that reason under the policy ${policy}`,
      given: { policy, closed: true, minutes: 1, elsewhere: true } as const,
      left: waits('refunded_elsewhere', true),
    })),
    {
      name: 'in time that went back elsewhere waits, and does not go back again',
      given: { policy: 'refund', closed: false, minutes: -1, elsewhere: true },
      left: waits('refunded_elsewhere', false),
    },
  ])('$name', async ({ given, left }) => {
    expect(await paid(given)).toEqual(left)
  })
})

describe('a payment that does not fit', () => {
  test('leaves what differs in the inbox and with the alert, and a line for each alert on the timeline', async () => {
    const { outTradeNo } = await payInSilence(world)
    const [payment] = paymentsOf(outTradeNo)
    const differs = { amountFen: { ours: 2900, theirs: 1 } }
    const detail = { fields: ['amountFen'], differs }
    const tell = () => deliver(world, outTradeNo, { id: `EV-${outTradeNo}`, amountFen: 1 })
    await tell()
    await tell()
    expect(await inboxOf(`EV-${outTradeNo}`)).toEqual({ outcome: 'mismatch', outTradeNo, detail })
    const alert = { kind: 'payment_mismatch', detail: { ...detail, transaction_id: payment?.transactionId } }
    expect(await alertsOf(outTradeNo)).toEqual([{ ...alert, times: 2 }])
    const line = { channel: 'notification', before: 'prepay', after: 'prepay', detail }
    expect(await eventsOf(outTradeNo, 'mismatch')).toEqual([line])
    await world.query('UPDATE alerts SET resolved_at = business_now() WHERE subject = $1', [outTradeNo])
    await tell()
    expect(await alertsOf(outTradeNo)).toHaveLength(2)
    expect(await eventsOf(outTradeNo, 'mismatch')).toEqual([line, line])
  })

  test('of an order that is not there leaves its transaction with the alert', async () => {
    const { outTradeNo } = await payInSilence(world)
    const stranger = 'M00000000000000000000000000'
    await deliver(world, outTradeNo, { outTradeNo: stranger, id: 'EV-stranger' })
    const [payment] = paymentsOf(outTradeNo)
    expect(await alertsOf(stranger)).toEqual([
      { kind: 'order_unknown', detail: { transaction_id: payment?.transactionId }, times: 1 },
    ])
    const kept = { outcome: 'order_unknown', outTradeNo: stranger, detail: {} }
    expect(await inboxOf('EV-stranger')).toEqual(kept)
  })

  test('is told to whoever asked, and an order of another sum stays open', async () => {
    const { phone, outTradeNo } = await payInSilence(world)
    world.platform.faults.add({ kind: 'wrong_amount', at: 'query', outTradeNo, times: 1 })
    const answer = await phone.call(`/subscription/orders/${outTradeNo}/cancel`, { method: 'POST' })
    expect([answer.status, await orderOf(outTradeNo, 'status::text')]).toEqual([200, { status: 'prepay' }])
    const again = await phone.call(`/subscription/orders/${outTradeNo}/cancel`, { method: 'POST' })
    expect(codeOf(again)).toBe('order_already_paid')
  })
})

describe('two orders of one user', () => {
  /** A second order of this user, paid so many seconds after this one. */
  async function alsoPaid(phone: Phone, first: string, seconds: number): Promise<string> {
    const { order } = await phone.buys('monthly', `key-${seconds}`)
    const base = paymentsOf(first)[0]?.paidAt.getTime() ?? 0
    const paidAt = new Date(base + seconds * 1000)
    await world.platform.pay(order.out_trade_no, { late: true, silent: true, paidAt })
    await deliver(world, order.out_trade_no)
    return order.out_trade_no
  }
  const told = async (...orders: string[]) =>
    (await alertsOf([...orders].sort().join(' '))).map(({ detail }) => detail)

  test.each([
    [600, true],
    [601, false],
    [-600, true],
    [-601, false],
  ])('paid %i seconds apart are looked at by a person: %s', async (seconds, isTold) => {
    const { phone, outTradeNo } = await payInSilence(world)
    await deliver(world, outTradeNo)
    const other = await alsoPaid(phone, outTradeNo, seconds)
    await followPayments(pool(), [other])
    expect(await told(outTradeNo, other)).toEqual(isTold ? [{ orders: [other, outTradeNo] }] : [])
  })

  test('are told with the first of them; an order of somebody else, or one that nobody paid, is none', async () => {
    const { phone, outTradeNo } = await payInSilence(world)
    await deliver(world, outTradeNo)
    await deliver(world, (await payInSilence(world)).outTradeNo)
    await phone.buys('monthly', 'unpaid')
    await followPayments(pool(), [outTradeNo])
    const alerts = `SELECT 1 FROM alerts WHERE kind = 'possible_double_payment' AND subject LIKE '%' || $1 || '%'`
    expect(await world.query(alerts, [outTradeNo])).toEqual([])
    const second = await alsoPaid(phone, outTradeNo, 1)
    const third = await alsoPaid(phone, outTradeNo, 2)
    await followPayments(pool(), [third])
    expect(await told(outTradeNo, third)).toHaveLength(1)
    expect(await told(second, third)).toEqual([])
  })
})

test('after all these payments the ledger recomputes to what is stored', async () => {
  expect((await verifyLedger(pool())).differences).toEqual([])
})
