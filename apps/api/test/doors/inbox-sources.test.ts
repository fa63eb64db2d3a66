import { type InboxItem, StuckRefund } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { idOf } from '../world/console.ts'
import { emailOf, findItem, itemsOf, useInbox } from '../world/inbox.ts'
import { type RefundEnd, sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const { consoles, parkedOrder, openAlert, resolveAll, signInAgain } = useInbox(world)

const keys = (items: readonly InboxItem[]) => items.map(({ kind, topic }) => `${kind} ${topic}`)

async function idOfNewUser(): Promise<string> {
  await world.phone()
  const [user] = await world.query<{ id: string }>('SELECT id FROM users ORDER BY created_at DESC LIMIT 1')
  return user?.id ?? ''
}

const sent = async () =>
  (await sendRefund(world, { phone: await world.phone(), operatorId: await idOf(world, emailOf('owner')) }))
    .outRefundNo
const says = (outRefundNo: string, end: RefundEnd) => sayRefundEnd(world, outRefundNo, { end })

/** How a refund comes to stand still, and how it goes on. */
const standstills: Record<
  StuckRefund,
  { stop: () => Promise<string>; goOn: (no: string) => Promise<unknown> }
> = {
  abnormal: {
    stop: async () => {
      const outRefundNo = await sent()
      await says(outRefundNo, 'ABNORMAL')
      return outRefundNo
    },
    goOn: (outRefundNo) => says(outRefundNo, 'SUCCESS'),
  },
  contradicted: {
    stop: async () => {
      const outRefundNo = await sent()
      await says(outRefundNo, 'CLOSED')
      await says(outRefundNo, 'SUCCESS')
      return outRefundNo
    },
    goOn: (outRefundNo) =>
      consoles.finance.refund.decideContradiction.mutate({
        outRefundNo,
        accept: 'succeeded',
        note: 'it arrived',
      }),
  },
  refused: {
    stop: async () => {
      world.platform.faults.set([{ kind: 'error_before', at: 'refund', status: 404 }])
      return sent()
    },
    goOn: async (outRefundNo) => {
      world.platform.faults.clear()
      await trackRefund(world.services, { outRefundNo, attempt: 0 })
      return says(outRefundNo, 'SUCCESS')
    },
  },
  overdue: {
    stop: async () => {
      const outRefundNo = await sent()
      await world.passTime({ hours: 73 })
      await signInAgain()
      return outRefundNo
    },
    goOn: (outRefundNo) => says(outRefundNo, 'SUCCESS'),
  },
}

describe('what waits for somebody', () => {
  test('an order on hold stands in the queue once, with its amount, until it is decided', async () => {
    const order = await parkedOrder()
    const outTradeNo = order.id
    await openAlert('order_parked', outTradeNo)
    expect(keys(await itemsOf(consoles.operator))).toEqual(['order paid_without_grant'])
    expect(await findItem(consoles.operator, order)).toMatchObject({
      subject: outTradeNo,
      amountFen: 2900,
      urgency: 'urgent',
      permission: 'order.decide',
      mayAct: true,
      assigneeEmail: null,
    })
    expect(await findItem(consoles.viewer, order)).toMatchObject({ mayAct: false })
    await consoles.operator.order.decide.mutate({
      outTradeNo,
      parkReason: 'paid_without_grant',
      decision: 'release',
      note: 'days are there',
    })
    expect(await findItem(consoles.operator, order)).toBeUndefined()
    await resolveAll()
  })

  test.each(StuckRefund.options)('a refund that is %s waits until it goes on', async (topic) => {
    const { stop, goOn } = standstills[topic]
    const refund = { kind: 'refund', id: await stop() } as const
    const isUrgent = topic === 'abnormal' || topic === 'contradicted'
    expect(keys(await itemsOf(consoles.finance))).toEqual([`refund ${topic}`])
    expect(await findItem(consoles.finance, refund)).toMatchObject({
      amountFen: 2900,
      mayAct: true,
      urgency: isUrgent ? 'urgent' : 'normal',
    })
    expect(await findItem(consoles.operator, refund)).toMatchObject({ mayAct: false })
    await goOn(refund.id)
    expect(await itemsOf(consoles.finance, { kind: 'refund' })).toEqual([])
    await resolveAll()
  })

  test('an open alert and an open difference wait, each with the owner of its own desk', async () => {
    const job = await openAlert('job_dead', 'reconcile_day')
    await consoles.operator.alert.take.mutate({ id: job.id })
    expect(await findItem(consoles.owner, job)).toMatchObject({
      urgency: 'urgent',
      assigneeEmail: emailOf('operator'),
    })
    await world.query(
      `INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at)
       VALUES ('2026-03-01', 'matched', 0, 0, 0, business_now())`,
    )
    await world.query(
      `INSERT INTO reconciliation_differences (date, kind, subject, theirs, suggested_action)
       VALUES ('2026-03-01', 'theirs_only', '420000', '{"amount_fen": 2900}', 'ask_platform')`,
    )
    await openAlert('bill_differences', '2026-03-01')
    expect(keys(await itemsOf(consoles.finance))).toEqual(['alert job_dead', 'difference theirs_only'])
    const [difference] = await itemsOf(consoles.finance, { kind: 'difference' })
    expect(difference).toMatchObject({ urgency: 'low', amountFen: 2900, mayAct: true })
    const given = { kind: 'difference', id: difference?.id ?? '' } as const
    const finance = await idOf(world, emailOf('finance'))
    await consoles.owner.inbox.assign.mutate({ ...given, assigneeId: finance, seenAssigneeId: null })
    const { items } = await consoles.finance.reconciliation.differences.query({ state: 'open' })
    expect(items).toMatchObject([{ ownerEmail: emailOf('finance') }])
    await consoles.finance.reconciliation.resolve.mutate({ id: given.id, resolution: 'booked elsewhere' })
    expect(keys(await itemsOf(consoles.finance))).toEqual(['alert job_dead', 'alert bill_differences'])
    await resolveAll()
    expect(await itemsOf(consoles.finance)).toEqual([])
  })

  test('an alert about an operator is told by their address', async () => {
    await openAlert('factor_changed', await idOf(world, emailOf('viewer')))
    expect(await itemsOf(consoles.owner)).toMatchObject([
      { topic: 'factor_changed', subject: emailOf('viewer') },
    ])
    await resolveAll()
  })

  test('an approval waits for a second person, and not for who asked', async () => {
    const user = await idOfNewUser()
    await world.query(
      `INSERT INTO grant_requests (user_id, days, reason, requested_by) VALUES ($1, 60, 'device was broken', $2)`,
      [user, await idOf(world, emailOf('operator'))],
    )
    const [own] = await itemsOf(consoles.operator)
    expect(own).toMatchObject({ kind: 'approval', topic: 'grant', isOwn: true, obstacle: 'own_request' })
    expect(own?.mayAct).toBe(false)
    const [seen] = await itemsOf(consoles.owner)
    expect(seen).toMatchObject({ mayAct: true, requestedBy: emailOf('operator'), after: { days: 60 } })
    expect((await itemsOf(consoles.finance))[0]?.mayAct).toBe(false)
    expect((await consoles.owner.dashboard.waiting.query()).inbox).toBe(1)
    expect((await consoles.operator.dashboard.waiting.query()).inbox).toBe(0)
    await world.query(`DELETE FROM grant_requests`)
  })
})
