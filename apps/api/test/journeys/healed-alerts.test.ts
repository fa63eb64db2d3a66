import { type AlertKind, type HealedBy, healedResolution } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { healAlerts } from '../../src/monitoring/heal-alerts.ts'
import { keepWatching } from '../../src/monitoring/keep-watching.ts'
import { parkOrder } from '../../src/orders/park-order.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { hire, idOf, signedInConsole } from '../world/console.ts'
import { doDueJobs, doJob } from '../world/do-jobs.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { askRefund, sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { tamper } from '../world/tamper.ts'
import { openTestWorld, type TestWorld, type WorldOptions } from '../world/test-world.ts'
import { openToldWorld } from '../world/told-alerts.ts'
import { dailyWork } from './alert-plays/daily-work.ts'

const heal = ({ services }: TestWorld) => healAlerts({ services })

const endsOf = (world: TestWorld, kind: AlertKind) =>
  world.query<{ resolution: string | null; by: string | null; over: boolean }>(
    'SELECT resolution, resolved_by AS by, resolved_at IS NOT NULL AS over FROM alerts WHERE kind = $1 ORDER BY id',
    [kind],
  )

const openAlert = { resolution: null, by: null, over: false }
const healedBy = (by: HealedBy) => ({ resolution: healedResolution(by), by: null, over: true })

const email = 'finance@example.com'
const untilTold = { platform: { refundsSettleAfterMs: null } } satisfies WorldOptions

async function sent(world: TestWorld) {
  await hire(world, { email, role: 'finance' })
  const operatorId = await idOf(world, email)
  return { operatorId, ...(await sendRefund(world, { phone: await world.phone(), operatorId })) }
}

/** Raises an alert in a world of its own, and brings about the fact by which it is over. */
type Story = {
  kind: AlertKind
  by: HealedBy
  /** What mends it ends the alert in the same statement. */
  endedByAct?: true
  world?: WorldOptions
  raise: (world: TestWorld) => Promise<() => Promise<unknown>>
}

const stories: readonly Story[] = [
  {
    kind: 'payment_mismatch',
    by: 'order_paid',
    raise: async (world) => {
      const { outTradeNo } = await payInSilence(world)
      await deliver(world, outTradeNo, { amountFen: 1 })
      return () => doJob(world, 'sweep_order', { outTradeNo, attempt: 0 })
    },
  },
  {
    kind: 'order_unknown',
    by: 'order_paid',
    raise: async (world) => {
      const { phone, outTradeNo } = await payInSilence(world)
      const elsewhere = 'M00000000000000000000000000'
      const renumber = (from: string, to: string) =>
        tamper(world, `UPDATE orders SET out_trade_no = '${to}' WHERE out_trade_no = '${from}'`)
      await renumber(outTradeNo, elsewhere)
      await deliver(world, outTradeNo)
      return async () => {
        await renumber(elsewhere, outTradeNo)
        await phone.syncs(outTradeNo)
      }
    },
  },
  {
    kind: 'possible_double_payment',
    by: 'order_refunded',
    world: untilTold,
    raise: async (world) => {
      await hire(world, { email, role: 'finance' })
      const operatorId = await idOf(world, email)
      const phone = await world.phone()
      for (const key of ['one', 'two']) await phone.pays(await phone.buys('monthly', key))
      await doDueJobs(world)
      const [order] = await world.query<{ no: string }>('SELECT max(out_trade_no) AS no FROM orders')
      return async () => {
        const asked = { outTradeNo: order?.no ?? '', amountFen: 2900, operatorId }
        const { outRefundNo } = await askRefund(world, asked)
        await trackRefund(world.services, { outRefundNo, attempt: 0 })
        await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })
      }
    },
  },
  {
    kind: 'refund_mismatch',
    by: 'refund_ended',
    world: untilTold,
    raise: async (world) => {
      const { outRefundNo } = await sent(world)
      await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS', changes: { amountFen: 1 } })
      return () => sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })
    },
  },
  {
    kind: 'refund_abnormal',
    by: 'refund_succeeded',
    world: untilTold,
    raise: async (world) => {
      const { outRefundNo } = await sent(world)
      await sayRefundEnd(world, outRefundNo, { end: 'ABNORMAL' })
      return () => sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })
    },
  },
  {
    kind: 'refund_closed',
    by: 'refund_replaced',
    world: untilTold,
    raise: async (world) => {
      const { outTradeNo, outRefundNo, operatorId } = await sent(world)
      await sayRefundEnd(world, outRefundNo, { end: 'CLOSED' })
      return async () => {
        const again = await askRefund(world, { outTradeNo, amountFen: 2900, operatorId })
        await trackRefund(world.services, { outRefundNo: again.outRefundNo, attempt: 0 })
        await sayRefundEnd(world, again.outRefundNo, { end: 'SUCCESS' })
      }
    },
  },
  {
    kind: 'refund_stuck',
    by: 'refund_accepted',
    endedByAct: true,
    world: untilTold,
    raise: async (world) => {
      world.platform.faults.add({ kind: 'error_before', at: 'refund', status: 403 })
      const { outRefundNo } = await sent(world)
      return () => {
        world.platform.faults.clear()
        return trackRefund(world.services, { outRefundNo, attempt: 1 })
      }
    },
  },
  {
    kind: 'order_parked',
    by: 'order_decided',
    raise: async (world) => {
      const { phone, outTradeNo } = await payInSilence(world)
      await phone.syncs(outTradeNo)
      const trace = { channel: 'job', requestId: null } as const
      await parkOrder(world.services.database.pool, { outTradeNo, reason: 'grant_missing', trace })
      await doJob(world, 'follow_payment', { outTradeNo })
      return () => world.query('UPDATE orders SET parked = false, park_reason = NULL')
    },
  },
  {
    kind: 'notification_unreadable',
    by: 'notification_processed',
    raise: async (world) => {
      const { outTradeNo } = await payInSilence(world)
      await deliver(world, outTradeNo, { id: 'EV-1' })
      await deliver(world, outTradeNo, { id: 'EV\0-1' })
      // A release that could not read it was followed by one that can: the replay gives the row its outcome.
      return () =>
        world.query(`UPDATE notifications SET outcome = 'already_paid' WHERE outcome = 'unreadable'`)
    },
  },
  {
    kind: 'bill_unavailable',
    by: 'bill_reconciled',
    raise: async (world) => {
      await dailyWork.bill_unavailable.raise(world)
      const [alert] = await world.query<{ date: string }>('SELECT subject AS date FROM alerts')
      world.platform.faults.clear()
      return () => doJob(world, 'reconcile_day', { date: alert?.date ?? '' })
    },
  },
  {
    kind: 'bill_differences',
    by: 'differences_resolved',
    raise: async (world) => {
      await dailyWork.bill_differences.raise(world)
      const { console: finance } = await signedInConsole(world, { email, role: 'finance' })
      return async () => {
        const open = await world.query<{ id: string }>(
          `SELECT id::text FROM reconciliation_differences WHERE state = 'open'`,
        )
        expect(open).not.toEqual([])
        for (const { id } of open)
          await finance.reconciliation.resolve.mutate({ id, resolution: 'looked into' })
      }
    },
  },
]

test.for(stories)('$kind is over by itself: $by', async ({ kind, by, world: options, raise, endedByAct }) => {
  await using world = await openTestWorld(options)
  const mend = await raise(world)
  await heal(world)
  expect(await endsOf(world, kind)).toEqual([openAlert])
  await mend()
  expect(await heal(world)).toEqual(endedByAct ? [] : [expect.stringMatching(new RegExp(`^${kind} `))])
  expect(await endsOf(world, kind)).toEqual([healedBy(by)])
  expect(await heal(world)).toEqual([])
})

test('another payment that did not fit keeps the alert of a paid order open: its money is here', async () => {
  await using world = await openTestWorld()
  const { phone, outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo, { id: 'EV-1', amountFen: 1 })
  await deliver(world, outTradeNo, {
    id: 'EV-2',
    amountFen: 1,
    transactionId: '4200009999999999999999999999',
  })
  await phone.syncs(outTradeNo)
  expect((await phone.subscription()).is_active).toBe(true)
  await heal(world)
  expect(await endsOf(world, 'payment_mismatch')).toEqual([openAlert])
})

test('the first payment that did not fit keeps the alert open when the order is paid by another one', async () => {
  await using world = await openTestWorld()
  const { phone, outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo, { amountFen: 1, transactionId: '4200009999999999999999999999' })
  await phone.syncs(outTradeNo)
  await heal(world)
  expect(await endsOf(world, 'payment_mismatch')).toEqual([openAlert])
})

test('what only a person may end stays open whatever becomes of the order', async () => {
  await using world = await openTestWorld()
  const { outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo)
  await deliver(world, outTradeNo, { transactionId: '4200009999999999999999999999' })
  await heal(world)
  expect(await endsOf(world, 'second_transaction')).toEqual([openAlert])
})

test('a turn ends at most 200 alerts of a kind, and the turns after it the rest', async () => {
  await using world = await openTestWorld()
  const { phone, outTradeNo } = await payInSilence(world)
  await phone.syncs(outTradeNo)
  await world.query(
    `INSERT INTO alerts (kind, subject) SELECT 'possible_double_payment', $1 || ' M' || lpad(n::text, 26, '0') FROM generate_series(1, 450) n`,
    [outTradeNo],
  )
  await tamper(world, `UPDATE orders SET status = 'refunded', refunded_fen = amount_fen`)
  expect(await heal(world)).toHaveLength(200)
  expect(await heal(world)).toHaveLength(200)
  expect(await heal(world)).toHaveLength(50)
})

test('a program that watches heals by itself, and every channel is told by which fact', async () => {
  await using shop = await openToldWorld()
  const { world, tell } = shop
  const { phone, outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo, { amountFen: 1 })
  expect(await tell()).toMatchObject([{ kind: 'payment_mismatch', state: 'open', healed_by: null }])
  await phone.syncs(outTradeNo)
  const watch = keepWatching(world.services)
  await expect.poll(() => endsOf(world, 'payment_mismatch')).toEqual([healedBy('order_paid')])
  await watch.stop()
  expect(await tell()).toMatchObject([
    {
      kind: 'payment_mismatch',
      state: 'over',
      healed_by: 'order_paid',
      text: expect.stringContaining('订单已支付 / the order is paid'),
    },
  ])
})
