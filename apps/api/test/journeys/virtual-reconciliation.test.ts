import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { attemptAnswers } from '@meridian/contracts'
import { systemRuntime } from '@meridian/payments'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  healLostTime,
  reconcileByClock,
  reconcileVirtualByClock,
} from '../../src/doors/jobs/catch-up-with-platform.ts'
import { healAlerts } from '../../src/monitoring/heal-alerts.ts'
import { closeDay, resolveDifference } from '../../src/reconciliation/close-day.ts'
import { requestReconciliation } from '../../src/reconciliation/reconcile-day.ts'
import { findDay, listDifferences, showDay } from '../../src/reconciliation/show-reconciliation.ts'
import { hire } from '../world/console.ts'
import { passUntil } from '../world/pass-until.ts'
import { type PlantedPayment, plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { tamper } from '../world/tamper.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useOpened, useTestWorld } from '../world/use-opened.ts'

const dayMs = 86_400_000
const chinaDate = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

/** What the download of a bill answers instead of the bill. */
let billAnswer: (() => Response) | null = null
/** What the platform says about bills instead of the truth. */
let billLink: string | null = null
const outsideFetch: typeof fetch = async (input, init) => {
  const url = String(input)
  if (billAnswer && url.includes('/xpay-bills/')) return billAnswer()
  if (billLink !== null && url.includes('/xpay/download_bill'))
    return Response.json({ errcode: 0, url: billLink })
  return systemRuntime.fetch(input, init)
}

const world = useTestWorld({ runtime: { fetch: outsideFetch } })
const finance = useOpened(async () => ({
  id: await hire(world, { email: 'finance@example.com', role: 'finance' }),
}))
const from = { address: '127.0.0.1', userAgent: 'test', requestId: 'test' }
const now = () => world.services.runtime.now()
const pool = () => world.services.database.pool

// Every test has a day of its own, and begins at its noon in China.
let date: string
beforeEach(async () => {
  const today = Date.parse(`${chinaDate(now())}T12:00:00+08:00`)
  const noon = new Date(now().getTime() < today ? today : today + dayMs)
  await passUntil(world, noon)
  date = chinaDate(noon)
})
afterEach(() => {
  billAnswer = null
  billLink = null
  world.platform.faults.clear()
  world.platform.settleVirtualAfter(null)
})

const at = (day: string, time: string, days = 1) =>
  new Date(Date.parse(`${day}T${time}+08:00`) + days * dayMs)
/** The daily run of the morning after a day, or a run by hand. */
const runDaily = async (days = 1) => {
  const planned = at(date, '10:40:00', days)
  await passUntil(world, planned)
  // The queue plans by the machine's clock.
  const ts = new Date(planned.getTime() - world.services.clock.aheadMs())
  await reconcileVirtualByClock(world.services, { _cron: { ts } })
}
const run = (day = date) => reconcileVirtualByClock(world.services, { date: day })
const runBills = (day = date) => reconcileByClock(world.services, { date: day })
const totals = (day = date) => findDay(pool(), day)
const channels = async () => (await showDay(pool(), date)).channels
const part = (channel: 'jsapi' | 'virtual', fen: number) => ({
  channel,
  orderFen: fen,
  ledgerFen: fen,
  billFen: fen,
})
const differences = async (day = date) =>
  (await listDifferences(pool(), { date: day, limit: 100 }, 'masked')).items
const close = (day = date) =>
  closeDay(world.services.database.prisma, { date: day, operatorId: finance.id, from })
const theirs = ({ attemptNo }: PlantedPayment) => {
  const order = world.platform.virtual.orders.get(attemptNo)
  if (!order) throw new Error('the platform knows the number')
  return order
}
const asked = ({ attemptNo }: PlantedPayment) =>
  world.platform.requests.filter(
    ({ path, body }) => path.startsWith('/xpay/query_order') && body.includes(attemptNo),
  ).length
const attemptOf = async ({ attemptNo }: PlantedPayment) =>
  (
    await world.query<{ settlement: string; fee_fen: number | null }>(
      'SELECT * FROM order_attempts WHERE number = $1',
      [attemptNo],
    )
  )[0]
const bills = (kind: string) =>
  world.query<{ date: string; sha1: string; bytes: Buffer }>(
    `SELECT bill_date::text AS date, sha1, (SELECT string_agg(bytes, ''::bytea ORDER BY seq) FROM bill_pieces WHERE bill_id = id) AS bytes
     FROM bills WHERE kind = $1::bill_kind ORDER BY fetched_at DESC`,
    [kind],
  )
const alertsAbout = (subject: string) =>
  world.query('SELECT detail, resolution FROM alerts WHERE subject = $1', [subject])

describe('a day of both channels', () => {
  test('is matched and closed when the bills are here and every order was asked about', async () => {
    const phone = await world.phone()
    await phone.pays(await phone.buys('monthly', 'both-channels'))
    const payments = [await plantVirtualPayment(world), await plantVirtualPayment(world, { system: 'ios' })]
    await passUntil(world, at(date, '10:30:00'))
    await runBills()
    expect(await totals()).toMatchObject({ state: 'open', orderFen: 8700, billFen: 2900, differences: 0 })
    expect(await channels()).toEqual([part('jsapi', 2900), { ...part('virtual', 5800), billFen: 0 }])
    expect(await close()).toBe('not_matched')
    await runDaily()
    expect(await totals()).toMatchObject({
      state: 'matched',
      orderFen: 8700,
      ledgerFen: 8700,
      billFen: 8700,
      explained: true,
      differences: 0,
    })
    for (const payment of payments)
      expect(await attemptOf(payment)).toMatchObject({ platform_fen: 2900, settlement: 'open' })
    // The bills alone, once more, take nothing away of the other channel.
    await runBills()
    expect(await totals()).toMatchObject({ state: 'matched', orderFen: 8700, billFen: 8700 })
    expect(await close()).toBe('closed')
    expect(await channels()).toEqual([part('jsapi', 2900), part('virtual', 5800)])
    // What comes later is in the orders, and not in the sums of the closed day: no part is told then.
    await plantVirtualPayment(world, { paidAt: at(date, '20:00:00', 0) })
    expect(await channels()).toEqual([])
  })

  test('waits for the bills of the one where the other is complete', async () => {
    await plantVirtualPayment(world)
    await runDaily()
    expect(await totals()).toMatchObject({ state: 'open', orderFen: 2900, billFen: 2900 })
    await runBills()
    expect(await totals()).toMatchObject({ state: 'matched', orderFen: 2900, billFen: 2900 })
    expect(await channels()).toEqual([])
  })

  test('is asked for by an operator as one job of each', async () => {
    await passUntil(world, at(date, '00:00:00'))
    const ask = () => requestReconciliation(world.services, { date, operatorId: finance.id, from })
    await Promise.all([ask(), ask()])
    const keys = await world.query<{ key: string }>(
      `SELECT key FROM graphile_worker.jobs WHERE key LIKE '%' || $1 ORDER BY key`,
      [date],
    )
    expect(keys).toEqual([{ key: `reconcile-virtual:${date}` }, { key: `reconcile:${date}` }])
  })
})

describe('what the platform says otherwise', () => {
  test('each becomes one work item, which explains the sums and ends when it is right again', async () => {
    const [fine, dearer, closed, unknown, back, partly] = [
      await plantVirtualPayment(world),
      await plantVirtualPayment(world),
      await plantVirtualPayment(world),
      await plantVirtualPayment(world),
      await plantVirtualPayment(world),
      await plantVirtualPayment(world),
    ]
    theirs(dearer).amountFen = 3000
    theirs(dearer).leftFen = 3000
    theirs(closed).status = 6
    theirs(unknown).env = 1
    Object.assign(theirs(back), { status: 8, leftFen: 0 })
    Object.assign(theirs(partly), { status: 4, leftFen: 1900 })
    await runDaily()
    await runBills()
    const found = await differences()
    expect(
      found
        .map((item) => [item.outTradeNo, item.kind, item.state, item.suggestedAction, item.billGapFen])
        .toSorted(),
    ).toEqual(
      [
        [dearer.attemptNo, 'amount', 'open', 'check_amount', 100],
        [closed.attemptNo, 'status', 'open', 'ask_platform', -2900],
        [unknown.attemptNo, 'ours_only', 'open', 'ask_platform', -2900],
        [back.attemptNo, 'refund', 'open', 'record_external_refund', 0],
        [partly.attemptNo, 'refund', 'open', 'record_external_refund', 0],
      ].toSorted(),
    )
    expect(found.find(({ outTradeNo }) => outTradeNo === dearer.attemptNo)).toMatchObject({
      channel: 'virtual',
      ours: { amount_fen: 2900 },
      theirs: { status: 'paid', amount_fen: 3000 },
    })
    expect(await totals()).toMatchObject({
      orderFen: 17_400,
      ledgerFen: 17_400,
      billFen: 11_700,
      explained: true,
    })
    expect(await alertsAbout(date)).toMatchObject([{ detail: { added: 5 } }])
    expect(await close()).toBe('open_differences')
    // What agreed within the hour is not asked about again, what did not is.
    theirs(closed).status = 4
    theirs(unknown).env = 0
    await run()
    expect(asked(fine)).toBe(1)
    expect(asked(closed)).toBe(2)
    expect(await differences()).toHaveLength(5)
    expect(await totals()).toMatchObject({ billFen: 17_500, explained: true, openDifferences: 3 })
    await world.passTime({ minutes: 61 })
    await run()
    expect(asked(fine)).toBe(2)
    for (const { id, state } of await differences())
      if (state === 'open')
        await resolveDifference(world.services.database.prisma, {
          differenceId: BigInt(id),
          operatorId: finance.id,
          from,
          resolution: 'looked into',
        })
    await runBills()
    expect(await close()).toBe('closed')
  })

  test('a refund that we know, and one that we were told of, are none', async () => {
    const [ours, told] = [
      await plantVirtualPayment(world),
      await plantVirtualPayment(world, { system: 'ios' }),
    ]
    Object.assign(theirs(ours), { status: 5, leftFen: 1900 })
    Object.assign(theirs(told), { status: 8, leftFen: 0 })
    await tamper(
      world,
      `UPDATE orders SET refund_reserved_fen = 1000 WHERE out_trade_no = '${ours.attemptNo}';
       INSERT INTO external_refunds (out_refund_no, out_trade_no, refund_id, amount_fen, status, attempt_no)
       VALUES ('apple-1', '${told.attemptNo}', 'wxr', 2900, 'succeeded', '${told.attemptNo}')`,
    )
    await runDaily()
    expect(await differences()).toEqual([])
  })

  test('nobody can be asked about an erased account: said, and nobody waits for it', async () => {
    const payment = await plantVirtualPayment(world)
    await tamper(
      world,
      `UPDATE orders SET payer_openid = 'erased:0' WHERE out_trade_no = '${payment.attemptNo}'`,
    )
    await runDaily()
    await runBills()
    expect(await differences()).toMatchObject([
      { kind: 'status', state: 'resolved', resolution: 'payer_erased' },
    ])
    expect(await totals()).toMatchObject({ state: 'matched', billFen: 2900, explained: true })
  })

  test('is kept in the words that the console knows, and in no other', async () => {
    const [kept] = await world.query<{ rule: string }>(
      `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'order_attempts_platform_word'`,
    )
    const words = [...(kept?.rule ?? '').matchAll(/'(\w+)'/g)].map(([, word]) => word)
    expect(words.toSorted()).toEqual([...attemptAnswers].toSorted())
  })

  test('what gave no days is decided by a person', async () => {
    const payment = await plantVirtualPayment(world, { ungranted: true })
    await runDaily()
    expect(await differences()).toMatchObject([
      { kind: 'status', outTradeNo: payment.attemptNo, suggestedAction: 'decide_parked', ledgerGapFen: 2900 },
    ])
  })
})

test('work items of both channels are told apart, one that no order stands for is the bill’s', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  world.platform.plantDifferences([{ kind: 'missing', outTradeNo }])
  const asked = await plantVirtualPayment(world)
  theirs(asked).status = 6
  await runDaily()
  await runBills()
  const listed = async (channel?: 'jsapi' | 'virtual') =>
    (await listDifferences(pool(), { date, channel, limit: 100 }, 'masked')).items.map(
      (item) => item.outTradeNo,
    )
  expect(await listed('virtual')).toEqual([asked.attemptNo])
  expect(await listed('jsapi')).toEqual([outTradeNo])
  expect((await listed()).toSorted()).toEqual([asked.attemptNo, outTradeNo].toSorted())
  await tamper(
    world,
    `UPDATE reconciliation_differences SET out_trade_no = 'nobody’s' WHERE out_trade_no = '${outTradeNo}'`,
  )
  expect(await listed('jsapi')).toEqual(['nobody’s'])
})

describe('a platform that fails', () => {
  test('leaves the day open; the next run goes on where it was', async () => {
    const payments = [await plantVirtualPayment(world), await plantVirtualPayment(world)]
    const [first, second] = payments
    if (!first || !second) throw new Error('two were planted')
    await passUntil(world, at(date, '10:40:00'))
    await runBills()
    world.platform.faults.add({ kind: 'error_before', at: 'xpay', outTradeNo: second.attemptNo })
    await expect(run()).rejects.toMatchObject({ reason: 'unreachable' })
    expect(await totals()).toMatchObject({ state: 'open', orderFen: 5800, billFen: 2900 })
    world.platform.faults.clear()
    await runBills()
    await run()
    expect(asked(first)).toBe(1)
    expect(await totals()).toMatchObject({ state: 'matched', billFen: 5800 })
  })
})

describe('settlement', () => {
  test('is asked for from the third day on, daily until it is done, and the fee is kept', async () => {
    const payment = await plantVirtualPayment(world)
    await runDaily()
    expect(asked(payment)).toBe(1)
    await runDaily(2)
    expect(asked(payment)).toBe(1)
    world.platform.settleVirtualAfter(5 * dayMs)
    await runDaily(4)
    expect(asked(payment)).toBe(2)
    expect(await attemptOf(payment)).toMatchObject({ settlement: 'open', fee_fen: null })
    await runDaily(5)
    await runDaily(6)
    expect(await attemptOf(payment)).toMatchObject({ settlement: 'done', fee_fen: 29 })
    const before = asked(payment)
    await runDaily(7)
    expect(asked(payment)).toBe(before)
  })

  test('of Apple is asked for weekly, when Apple may have paid, and after four months no more', async () => {
    const payment = await plantVirtualPayment(world, { system: 'ios' })
    world.platform.settleVirtualAfter(1000 * dayMs)
    await runDaily()
    expect(asked(payment)).toBe(1)
    await runDaily(44)
    expect(asked(payment)).toBe(1)
    await runDaily(46)
    await runDaily(47)
    expect(asked(payment)).toBe(2)
    await runDaily(54)
    expect(asked(payment)).toBe(3)
    await runDaily(122)
    expect(asked(payment)).toBe(3)
  })
})

describe('raw bills', () => {
  test('of a day are kept compressed, as they came, once', async () => {
    const payment = await plantVirtualPayment(world)
    await runDaily()
    const [bill] = await bills('virtual')
    expect(bill?.date).toBe(date)
    const plain = gunzipSync(bill?.bytes ?? Buffer.alloc(0))
    expect(plain.toString()).toContain(payment.attemptNo)
    expect(createHash('sha1').update(plain).digest('hex')).toBe(bill?.sha1)
    await run()
    expect((await bills('virtual')).filter((kept) => kept.date === date)).toHaveLength(1)
    expect((await showDay(pool(), date)).bills).toMatchObject([{ kind: 'virtual', rows: 0 }])
  })

  test('that are not made yet are asked for again on the next runs, and told when they stay away', async () => {
    await plantVirtualPayment(world)
    billLink = ''
    await runDaily(1)
    expect((await bills('virtual')).filter((kept) => kept.date === date)).toEqual([])
    expect(await alertsAbout(`${date} virtual`)).toEqual([])
    await runDaily(2)
    await runDaily(3)
    expect(await alertsAbout(`${date} virtual`)).toMatchObject([
      { detail: { bill: 'virtual', reason: 'not_yet' } },
    ])
    billLink = null
    await runDaily(4)
    expect((await bills('virtual')).filter((kept) => kept.date === date)).toHaveLength(1)
    await healAlerts({ services: world.services })
    expect(await alertsAbout(`${date} virtual`)).toMatchObject([
      { resolution: expect.stringContaining('bill_reconciled') },
    ])
  })

  test.each([
    [
      'that lie somewhere unencrypted are not fetched',
      'malformed_answer',
      () => (billLink = 'http://203.0.113.7/bill'),
    ],
    ['that are refused are told', 'refused', () => (billAnswer = () => new Response('', { status: 403 }))],
    [
      'that are too long are given up',
      'malformed_answer',
      () => {
        billAnswer = () => {
          let left = 70
          const body = new ReadableStream<Uint8Array>({
            pull: (controller) =>
              left-- > 0 ? controller.enqueue(new Uint8Array(1024 ** 2)) : controller.close(),
          })
          return new Response(body, { status: 200 })
        }
      },
    ],
  ])('%s', async (_what, reason, arrange) => {
    await plantVirtualPayment(world)
    arrange()
    await runDaily()
    expect(await alertsAbout(`${date} virtual`)).toMatchObject([{ detail: { reason } }])
    expect((await bills('virtual')).filter((kept) => kept.date === date)).toEqual([])
  })

  test('of Apple are of a month, and asked for in the two months after it', async () => {
    const { attemptNo } = await plantVirtualPayment(world, { system: 'ios' })
    const month = `${date.slice(0, 7)}-01`
    await tamper(world, `UPDATE orders SET trade_type = 'APPLE' WHERE out_trade_no = '${attemptNo}'`)
    await runDaily(1)
    if (chinaDate(now()).slice(0, 7) === date.slice(0, 7))
      expect((await bills('apple')).filter((kept) => kept.date === month)).toEqual([])
    await runDaily(33)
    const [bill] = (await bills('apple')).filter((kept) => kept.date === month)
    expect(gunzipSync(bill?.bytes ?? Buffer.alloc(0)).toString()).toContain(attemptNo)
  })
})

test('with virtual payment alone a day is opened, matched, healed and closed', async () => {
  await using alone = await openTestWorld({ payments: 'off', virtual: 'on' })
  await plantVirtualPayment(alone)
  const paidAt = alone.services.runtime.now()
  const day = chinaDate(paidAt)
  await alone.passTime({ days: 1 })
  await reconcileByClock(alone.services, { date: day })
  expect(await findDay(alone.services.database.pool, day)).toBeNull()
  expect(await healLostTime(alone.services, paidAt)).toMatchObject({
    failed: 0,
    unavailable: [],
    withoutBill: [],
  })
  expect(await findDay(alone.services.database.pool, day)).toMatchObject({
    state: 'matched',
    orderFen: 2900,
    billFen: 2900,
  })
  const operatorId = await hire(alone, { email: 'finance@example.com', role: 'finance' })
  expect(await closeDay(alone.services.database.prisma, { date: day, operatorId, from })).toBe('closed')
})
