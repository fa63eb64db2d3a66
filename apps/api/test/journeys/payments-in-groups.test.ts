import { type Answered, answers } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { afterEach, describe, expect, test } from 'vitest'
import { showNotification } from '../../src/notifications/read-inbox.ts'
import { asAgreed } from '../../src/payments/agreed-payments.ts'
import type { Arrival } from '../../src/payments/decide-payment.ts'
import { openPaymentGroups } from '../../src/payments/group-payments.ts'
import { payAgreedStatement } from '../../src/payments/pay-agreed.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { payInSilence } from '../world/pay-in-silence.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

const world = useTestWorld()
const pool = () => world.services.database.pool

/** Why groups failed as a whole. */
const failures: unknown[] = []
const note = (error: unknown) => failures.push(error)

type Told = { outTradeNo: string; payment: ConfirmedPayment; arrival: Arrival }

/** The platform's word on a payment as the door hands it on; each id is another delivery. */
function toldOf(outTradeNo: string, changes: { id?: string; transactionId?: string } = {}): Told {
  const { headers, body } = world.platform.notification(outTradeNo, changes)
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const signed = { headers: Object.fromEntries(lowered), body: Buffer.from(body) }
  const notification = world.services.payments?.readNotification(signed)
  if (notification?.kind !== 'payment') throw new Error('no payment')
  const arrival = { confirmedBy: 'notification', requestId: notification.id } as const
  return {
    outTradeNo,
    payment: notification.payment,
    arrival: { ...arrival, delivery: { ...signed, notification } },
  }
}

async function paidInSilence(count: number): Promise<Told[]> {
  const paid = await Promise.all(Array.from({ length: count }, () => payInSilence(world)))
  return paid.map(({ outTradeNo }) => toldOf(outTradeNo))
}

const openGroups = (size = 32) => openPaymentGroups({ size, onFailure: note })

/** Applies them all at once; answers the verdicts, and the statements that applied more than one thing at a time. */
async function applyTogether(told: readonly Told[], size = 32, groups = openGroups(size)) {
  const sizes: number[] = []
  const listen = ({ query: { name }, rows }: Answered) => {
    if (name?.includes('-agreed')) sizes.push(rows.length)
  }
  answers.on('answered', listen)
  const verdicts = await Promise.all(
    told.map(({ payment, arrival }) =>
      groups.apply(pool(), payment, arrival).catch((error: unknown) => `failed: ${error}`),
    ),
  )
  answers.off('answered', listen)
  return { verdicts, sizes }
}

const standingOf = async (outTradeNo: string) => {
  const [standing] = await world.query(
    `SELECT o.status::text, o.transaction_id AS transaction, count(g.id)::int AS grants, coalesce(sum(g.days), 0)::int AS days,
       (SELECT count(*)::int FROM order_events e WHERE e.order_id = o.id AND e.kind = 'pay') AS lines
     FROM orders o LEFT JOIN grants g ON g.order_id = o.id WHERE o.out_trade_no = $1 GROUP BY o.id`,
    [outTradeNo],
  )
  return standing
}
const inboxOf = (outTradeNo: string) =>
  world.query<{ id: string; outcome: string; deliveries: number; proven: boolean }>(
    'SELECT id, outcome::text, deliveries, octet_length(body) > 0 AS proven FROM notifications WHERE out_trade_no = $1 ORDER BY id',
    [outTradeNo],
  )
/** The push of a payment of virtual payment. */
const goodsPaid = (openid: string, number: string) => ({
  ...{ Event: 'xpay_goods_deliver_notify', OpenId: openid, OutTradeNo: number, Env: 0 },
  WeChatPayInfo: {
    MchOrderNo: 'm',
    TransactionId: `42000${number.slice(1, 20)}`,
    PaidTime: Math.floor(Date.now() / 1000),
  },
  GoodsInfo: { ProductId: 'monthly', Quantity: 1, OrigPrice: 2900, ActualPrice: 2900, Attach: number },
})
const paidOnce = { status: 'paid', grants: 1, days: 30, lines: 1 }

afterEach(() => expect(failures).toEqual([]))

test('payments that arrive together are committed together, each with a verdict and evidence of its own', async () => {
  const told = await paidInSilence(12)
  const { verdicts, sizes } = await applyTogether(told)
  expect(new Set(verdicts)).toEqual(new Set(['applied']))
  // Two are under way at once, each of one that came first; all others are the next group.
  expect(sizes.sort()).toEqual([1, 1, 10].sort())
  for (const { outTradeNo, payment, arrival } of told) {
    expect(await standingOf(outTradeNo)).toEqual({ ...paidOnce, transaction: payment.transactionId })
    const id = arrival.delivery?.notification.id
    expect(await inboxOf(outTradeNo)).toEqual([{ id, outcome: 'applied', deliveries: 1, proven: true }])
  }
})

test('a group of one groups nothing', async () => {
  const { verdicts, sizes } = await applyTogether(await paidInSilence(4), 1)
  expect(verdicts).toEqual(['applied', 'applied', 'applied', 'applied'])
  expect(sizes).toEqual([1, 1, 1, 1])
})

describe('beside others in a group', () => {
  test('what does not fit is decided about by itself', async () => {
    const told = await paidInSilence(5)
    const [again, , other] = told
    if (!again || !other) throw new Error('told')
    await applyTogether([again])
    const wrong = toldOf(other.outTradeNo, { id: 'EV-wrong', transactionId: '4200000000000000000000000009' })
    await world.query('UPDATE orders SET parked = TRUE, park_reason = $2 WHERE out_trade_no = $1', [
      told[4]?.outTradeNo,
      'refunded_elsewhere',
    ])
    const { verdicts } = await applyTogether([...told, wrong])
    expect(verdicts).toEqual([
      'already_paid',
      'applied',
      'applied',
      'applied',
      'applied',
      'second_transaction',
    ])
    for (const { outTradeNo } of told) expect(await standingOf(outTradeNo)).toMatchObject(paidOnce)
    expect(await inboxOf(again.outTradeNo)).toMatchObject([{ outcome: 'applied', deliveries: 2 }])
    expect((await inboxOf(other.outTradeNo)).map(({ outcome }) => outcome).sort()).toEqual([
      'applied',
      'second_transaction',
    ])
  })

  test('copies of one notification pay once and are counted', async () => {
    const [one, ...others] = await paidInSilence(3)
    if (!one) throw new Error('told')
    const { verdicts } = await applyTogether([one, one, ...others, one])
    expect(verdicts.filter((verdict) => verdict === 'applied')).toHaveLength(3)
    expect(verdicts.filter((verdict) => verdict === 'already_paid')).toHaveLength(2)
    expect(await standingOf(one.outTradeNo)).toMatchObject(paidOnce)
    expect(await inboxOf(one.outTradeNo)).toMatchObject([{ outcome: 'applied', deliveries: 3 }])
  })

  test('two orders of one user are both granted, one after the other', async () => {
    const phone = await world.phone()
    const orders: string[] = []
    for (const plan of ['monthly', 'quarterly']) {
      const purchase = await phone.buys(plan)
      await phone.pays(purchase, { silent: true })
      orders.push(purchase.order.out_trade_no)
    }
    const told = [...(await paidInSilence(3)), ...orders.map((outTradeNo) => toldOf(outTradeNo))]
    expect(new Set((await applyTogether(told)).verdicts)).toEqual(new Set(['applied']))
    expect((await phone.subscription()).remaining_days).toBe(120)
  })

  test('one that the database refuses is refused alone', async () => {
    const told = await paidInSilence(6)
    const id = told[4]?.arrival.delivery?.notification.id
    await world.query(
      `INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome)
       VALUES ($1, 'TRANSACTION.SUCCESS', 'kept', '{}', '', '{}', 'order_unknown')`,
      [id],
    )
    const { verdicts } = await applyTogether(told)
    expect(new Set(verdicts)).toEqual(new Set(['applied']))
    expect(failures.splice(0)).toMatchObject([{ constraint: 'notifications_pkey' }])
    for (const { outTradeNo } of told) expect(await standingOf(outTradeNo)).toMatchObject(paidOnce)
    const [kept] = await world.query('SELECT outcome::text, deliveries FROM notifications WHERE id = $1', [
      id,
    ])
    expect(kept).toEqual({ outcome: 'applied', deliveries: 2 })
  })

  test('an order that somebody else holds keeps nobody else waiting', async () => {
    const told = await paidInSilence(6)
    const holder = await pool().connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM orders WHERE out_trade_no = $1 FOR UPDATE', [told[3]?.outTradeNo])
    const groups = openPaymentGroups({ size: 32, onFailure: note })
    const applying = told.map(({ payment, arrival }) => groups.apply(pool(), payment, arrival))
    const others = await Promise.all(applying.filter((_, at) => at !== 3))
    await holder.query('COMMIT')
    holder.release()
    expect(new Set(others)).toEqual(new Set(['applied']))
    expect(await applying[3]).toBe('applied')
  })
})

test('a line that is full sends the next payments the road of a payment alone', async () => {
  const told = await paidInSilence(6)
  const groups = openPaymentGroups({ size: 32, room: 1, onFailure: note })
  const alone: (string | null)[] = []
  const listen = ({ query: { name } }: Answered) => {
    if (name === 'pay-notified') alone.push(name)
  }
  answers.on('answered', listen)
  const verdicts = await Promise.all(
    told.map(({ payment, arrival }) => groups.apply(pool(), payment, arrival)),
  )
  answers.off('answered', listen)
  expect(new Set(verdicts)).toEqual(new Set(['applied']))
  // Two are under way, one waits.
  expect(alone).toHaveLength(3)
  for (const { outTradeNo } of told) expect(await standingOf(outTradeNo)).toMatchObject(paidOnce)
})

test('the first outcome of a payment applied in a group begins its history', async () => {
  const [one] = await paidInSilence(1)
  if (!one) throw new Error('told')
  await applyTogether([one])
  await applyTogether([one])
  const { outcomes } = await showNotification(pool(), one.arrival.delivery?.notification.id ?? '')
  expect(outcomes.map(({ outcome, replayed }) => ({ outcome, replayed }))).toEqual([
    { outcome: 'already_paid', replayed: false },
    { outcome: 'applied', replayed: false },
  ])
})

describe('repeats of payments that were applied here', () => {
  const outcomesOf = (id: string) =>
    world.query('SELECT outcome::text, replayed FROM notification_outcomes WHERE notification_id = $1', [id])

  test('are counted together, each in its own history', async () => {
    const told = await paidInSilence(8)
    const groups = openGroups()
    await applyTogether(told, 32, groups)
    const { verdicts, sizes } = await applyTogether([...told, ...told], 32, groups)
    expect(new Set(verdicts)).toEqual(new Set(['already_paid']))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(16)
    expect(sizes.length).toBeLessThan(8)
    for (const { outTradeNo, arrival } of told) {
      expect(await standingOf(outTradeNo)).toMatchObject(paidOnce)
      expect(await inboxOf(outTradeNo)).toMatchObject([{ outcome: 'applied', deliveries: 3 }])
      const kept = { outcome: 'already_paid', replayed: false }
      expect(await outcomesOf(arrival.delivery?.notification.id ?? '')).toEqual([kept, kept])
    }
  })

  test('that say something else, or come under another id, are decided about by themselves', async () => {
    const told = await paidInSilence(4)
    const [first, second, third, fourth] = told.map(({ outTradeNo }) => outTradeNo)
    if (!first || !second || !third || !fourth) throw new Error('told')
    const groups = openGroups()
    await applyTogether(told, 32, groups)
    const again = [
      toldOf(first, { id: 'EV-another' }),
      toldOf(second, { transactionId: '4200000000000000000000000009' }),
      toldOf(third),
      toldOf(fourth),
    ]
    await world.query(`UPDATE notifications SET outcome = 'mismatch' WHERE out_trade_no = $1`, [third])
    const { verdicts, sizes } = await applyTogether(again, 32, groups)
    expect(verdicts).toEqual(['already_paid', 'second_transaction', 'already_paid', 'already_paid'])
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1)
    for (const { outTradeNo } of told) expect(await standingOf(outTradeNo)).toMatchObject(paidOnce)
    expect((await inboxOf(first)).map(({ deliveries }) => deliveries)).toEqual([1, 1])
    expect(await inboxOf(third)).toMatchObject([{ outcome: 'already_paid', deliveries: 2 }])
  })

  test('keep as many outcomes as a notification may have', async () => {
    const [one] = await paidInSilence(1)
    if (!one) throw new Error('told')
    const groups = openGroups()
    await applyTogether([one], 32, groups)
    const id = one.arrival.delivery?.notification.id ?? ''
    await world.query(
      `INSERT INTO notification_outcomes (notification_id, outcome) SELECT $1, 'already_paid' FROM generate_series(1, 199)`,
      [id],
    )
    await applyTogether([one, one, one], 32, groups)
    expect(await outcomesOf(id)).toHaveLength(200)
    expect(await inboxOf(one.outTradeNo)).toMatchObject([{ deliveries: 4 }])
  })
})

test('deliveries of many orders in two processes, repeated and out of order, pay each order once', async () => {
  const paid = await paidInSilence(24)
  const copies = paid.flatMap(({ outTradeNo }) =>
    Array.from({ length: 6 }, (_, copy) => toldOf(outTradeNo, { id: `EV-${outTradeNo}-${copy % 3}` })),
  )
  // A fixed shuffle, another one in each process.
  const shuffled = (by: number) =>
    copies.map((told, at) => ({ told, key: (at * by) % 149 })).sort((a, b) => a.key - b.key)
  const verdicts = await Promise.all(
    [31, 57].map(async (by) => {
      const groups = openPaymentGroups({ size: 8, onFailure: note })
      return Promise.all(shuffled(by).map(({ told }) => groups.apply(pool(), told.payment, told.arrival)))
    }),
  )
  expect(verdicts.flat().filter((verdict) => verdict === 'applied')).toHaveLength(24)
  expect(new Set(verdicts.flat())).toEqual(new Set(['applied', 'already_paid']))
  for (const { outTradeNo } of paid) {
    expect(await standingOf(outTradeNo)).toMatchObject(paidOnce)
    const kept = await inboxOf(outTradeNo)
    expect(kept).toHaveLength(3)
    expect(kept.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(12)
  }
  expect((await verifyLedger(pool())).differences).toEqual([])
})

test('the orders of a group are found by their numbers, however few of all orders seem to be unpaid', async () => {
  const [told] = await paidInSilence(1)
  const agreed = told && asAgreed(told.payment, told.arrival)
  if (!agreed) throw new Error('told')
  await world.query(`
    INSERT INTO orders (out_trade_no, user_id, status, plan_code, plan_name, duration_days, amount_fen, payer_openid, app_id,
      mch_id, platform_host, prepay_id, prepay_expires_at, expires_at, closed_at, close_reason)
    SELECT 'M' || lpad(n::text, 26, '0'), (SELECT id FROM users LIMIT 1), 'closed', 'monthly', 'monthly', 30, 2900, 'o', 'wx',
      '1', 'test', 'wx', now(), now() + interval '1 hour', now(), 'expired'
    FROM generate_series(1, 5000) n`)
  await world.query('ANALYZE orders')
  const { sql } = payAgreedStatement('jsapi', [agreed])
  const client = await pool().connect()
  try {
    await client.query('SET plan_cache_mode = force_generic_plan')
    await client.query(`PREPARE explained AS ${sql.text}`)
    const nothing = sql.values.map(() => 'NULL').join(', ')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE explained (${nothing})`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Cond: \(out_trade_no = listed\.paid_number\)/)
  } finally {
    client.release(true)
  }
})

test('virtual payments are committed together with their attempts and their delivery', async () => {
  const { virtual } = world.services
  if (!virtual) throw new Error('the channel is on')
  await openVirtualShop(world)
  const told = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const phone = await world.phone()
      const { out_trade_no: outTradeNo } = (await phone.buysVirtually()).order
      const { url, body: text } = world.platform.push(goodsPaid(phone.openid, outTradeNo))
      const [headers, body] = [Object.fromEntries(new URL(url).searchParams), Buffer.from(text)]
      const notification = virtual.readPush(headers, body)
      if (notification.kind !== 'payment') throw new Error('no payment')
      const arrival = { confirmedBy: 'notification', requestId: outTradeNo, env: virtual.env } as const
      return {
        outTradeNo,
        payment: notification.payment,
        arrival: { ...arrival, delivery: { headers, body, notification } },
      }
    }),
  )
  const { verdicts, sizes } = await applyTogether(told)
  expect(new Set(verdicts)).toEqual(new Set(['applied']))
  expect(sizes.sort()).toEqual([1, 1, 6])
  for (const { outTradeNo } of told) {
    expect(await standingOf(outTradeNo)).toMatchObject(paidOnce)
    const [attempt] = await world.query('SELECT state::text, params FROM order_attempts WHERE number = $1', [
      outTradeNo,
    ])
    expect(attempt).toEqual({ state: 'paid', params: null })
    const jobs = await world.query(`SELECT 1 FROM due_jobs WHERE key = 'deliver:' || $1`, [outTradeNo])
    expect(jobs).toHaveLength(1)
  }
})
