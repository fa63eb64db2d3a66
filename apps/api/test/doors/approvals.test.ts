import { beforeAll, describe, expect, test } from 'vitest'
import { takeOver } from '../world/colleagues.ts'
import { type Console, hire, idOf, problemOf, signedInConsole, signInAnew } from '../world/console.ts'
import { payLate } from '../world/parked-payments.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let boss: Console
let honest: Console
const ways = new Map<string, Console>()

const settingOf = async (console: Console, key: string) => {
  const found = (await console.setting.list.query()).items.find((one) => one.key === key)
  if (!found) throw new Error(`no setting ${key}`)
  return found
}
const waitingFor = async (subject: string) => {
  const found = (await honest.approval.waiting.query()).items.find((one) => one.subject === subject)
  if (!found) throw new Error(`nothing waits for ${subject}`)
  return found
}
const setting = async (
  key: 'refund_approval_threshold_fen' | 'late_payment_policy',
  value: string | number,
) => {
  const { version } = await settingOf(boss, key)
  await boss.setting.change.mutate({ key, version, value })
  const { id } = await waitingFor(key)
  return {
    approve: (who: Console) => who.setting.decide.mutate({ id, approve: true }),
    took: async () => (await settingOf(honest, key)).value === value,
  }
}
const offer = { name: '试', description: '', features: [], badge: null, sortOrder: 0, onSale: true }
const decidePlan = (id: string) => (who: Console) => who.plan.decide.mutate({ id, approve: true })

const late = (outTradeNo: string, decision: 'refund' | 'activate') => ({
  outTradeNo,
  parkReason: 'late_payment',
  decision,
  note: 'The customer called',
})
const refundOf = async (outTradeNo: string) => {
  const [found] = await world.query<{
    no: string
    status: string
    requester: string
    approver: string | null
  }>(
    `SELECT r.out_refund_no AS no, r.status::text, a.email AS requester, b.email AS approver
     FROM refunds r JOIN orders o ON o.id = r.order_id JOIN operators a ON a.id = r.requested_by
     LEFT JOIN operators b ON b.id = r.approved_by WHERE o.out_trade_no = $1 ORDER BY r.id DESC`,
    [outTradeNo],
  )
  if (!found) throw new Error(`no refund of ${outTradeNo}`)
  return found
}
async function refundWaiting(outTradeNo: string) {
  const { no } = await refundOf(outTradeNo)
  return {
    approve: (who: Console) => who.refund.decide.mutate({ outRefundNo: no, approve: true }),
    took: async () => (await refundOf(outTradeNo)).status !== 'requested',
  }
}

async function newUser(): Promise<string> {
  await world.phone()
  const [user] = await world.query<{ id: string }>('SELECT id FROM users ORDER BY created_at DESC LIMIT 1')
  return user?.id ?? ''
}

type Waiting = { approve: (who: Console) => Promise<unknown>; took: () => Promise<boolean> }

/** Every act that needs a second person: how the boss asks for it, and whether it has happened. */
const acts: Record<string, () => Promise<Waiting>> = {
  'a refund above the threshold': async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPays('yearly')
    const refund = { outTradeNo, amountFen: 26_800, keepDays: false, reservedFen: 0 } as const
    await boss.refund.request.mutate({ ...refund, reason: 'user_request', note: '' })
    return refundWaiting(outTradeNo)
  },
  'a large payment that came late, given back': async () => {
    const { outTradeNo } = await payLate(world, { planCode: 'yearly' })
    const { parked } = await boss.order.decideLate.mutate(late(outTradeNo, 'refund'))
    expect(parked).toBe(true)
    expect(await problemOf(honest.order.decideLate.mutate(late(outTradeNo, 'activate')))).toBe(
      'decision_not_possible',
    )
    return refundWaiting(outTradeNo)
  },
  'more days than one person may give': async () => {
    const userId = await newUser()
    await boss.subscription.changeDays.mutate({ userId, days: 60, reason: 'a gift', entries: 0 })
    const { id } = await waitingFor(userId)
    return {
      approve: (who) => who.subscription.decideRequest.mutate({ id, verdict: 'approve' }),
      took: async () => (await honest.subscription.detail.query({ userId })).ledger.length > 0,
    }
  },
  'a price far from that of yesterday': async () => {
    const { plan } = await boss.plan.detail.query({ code: 'yearly' })
    await boss.plan.changePrice.mutate({ ...plan, priceFen: 13_000 })
    return {
      approve: decidePlan((await waitingFor('yearly')).id),
      took: async () => (await honest.plan.detail.query({ code: 'yearly' })).plan.priceFen === 13_000,
    }
  },
  'a duration that makes a day cheap': async () => {
    const { plan } = await boss.plan.detail.query({ code: 'monthly' })
    await boss.plan.edit.mutate({ ...plan, durationDays: 90 })
    return {
      approve: decidePlan((await waitingFor('monthly')).id),
      took: async () => (await honest.plan.detail.query({ code: 'monthly' })).plan.durationDays === 90,
    }
  },
  'a new plan cheaper than any': async () => {
    const plan = { ...offer, code: 'cheap', durationDays: 3660, priceFen: 36_600, listPriceFen: null }
    await boss.plan.create.mutate(plan)
    return {
      approve: decidePlan((await waitingFor('cheap')).id),
      took: async () => (await honest.plan.list.query()).items.some(({ code }) => code === 'cheap'),
    }
  },
  'a higher threshold': () => setting('refund_approval_threshold_fen', 90_000_000),
  'another policy for late payments': () => setting('late_payment_policy', 'refund'),
}
const asked = new Map<string, Waiting>()
const waiting = (act: string): Waiting => {
  const found = asked.get(act)
  if (!found) throw new Error(`nobody asked for ${act}`)
  return found
}

beforeAll(async () => {
  boss = (await signedInConsole(world, { email: 'boss@example.com' })).console
  honest = (await signedInConsole(world, { email: 'honest@example.com' })).console
  for (const name of ['reset', 'unlocked', 'later']) await hire(world, { email: `${name}@example.com` })
  await hire(world, { email: 'promoted@example.com', role: 'viewer' })

  const invite = async (by: Console, name: string) => {
    const email = `${name}@example.com`
    await by.staff.invite.mutate({ email, name, role: 'owner' })
    ways.set(name, await takeOver(world, email))
  }
  await invite(boss, 'puppet')
  const puppet = ways.get('puppet')
  if (puppet) await invite(puppet, 'second-puppet')
  const on = async (name: string) => ({ operatorId: await idOf(world, `${name}@example.com`) })
  await boss.staff.resetPassword.mutate(await on('reset'))
  await boss.staff.resetSecondFactor.mutate(await on('unlocked'))
  await boss.staff.changeRole.mutate({ ...(await on('promoted')), role: 'owner' })
  for (const name of ['reset', 'unlocked', 'promoted'])
    ways.set(name, await takeOver(world, `${name}@example.com`))
  ways.set('own', boss)
  for (const [act, ask] of Object.entries(acts)) asked.set(act, await ask())
  const later = await takeOver(world, 'later@example.com')
  ways.set('later', later)
})

/** How each way around the second person ends. */
const tried = async (act: string) => {
  const { approve, took } = waiting(act)
  const ends: Record<string, string> = {}
  for (const [way, who] of ways) ends[way] = await problemOf(approve(who))
  return { ends, took: await took() }
}

describe('what needs a second person', () => {
  test.each(Object.keys(acts))('%s is approved by nobody of the same day', async (act) => {
    expect(await tried(act)).toEqual({
      ends: {
        own: 'second_person_required',
        puppet: 'account_too_new',
        'second-puppet': 'account_too_new',
        reset: 'account_too_new',
        unlocked: 'account_too_new',
        promoted: 'account_too_new',
        later: 'account_too_new',
      },
      took: false,
    })
  })

  test('is not even asked for by an account of the same day', async () => {
    const puppet = ways.get('puppet') ?? boss
    const { version } = await settingOf(puppet, 'price_floor_fen_per_day')
    const floor = { key: 'price_floor_fen_per_day', version, value: 0 } as const
    expect(await problemOf(puppet.setting.change.mutate(floor))).toBe('account_too_new')
    const plan = { ...offer, code: 'mine', durationDays: 30, priceFen: 400, listPriceFen: null }
    expect(await problemOf(puppet.plan.create.mutate(plan))).toBe('account_too_new')
    const userId = await newUser()
    const gift = { userId, days: 60, reason: 'a gift', entries: 0 }
    expect(await problemOf(puppet.subscription.changeDays.mutate(gift))).toBe('account_too_new')
    const phone = await world.phone()
    const purchase = await phone.buys('yearly')
    await phone.pays(purchase)
    const refund = { outTradeNo: purchase.order.out_trade_no, amountFen: 26_800, keepDays: false } as const
    const request = { ...refund, reservedFen: 0, reason: 'user_request', note: '' } as const
    expect(await problemOf(puppet.refund.request.mutate(request))).toBe('account_too_new')
    const { outTradeNo } = await payLate(world, { planCode: 'yearly' })
    expect(await problemOf(puppet.order.decideLate.mutate(late(outTradeNo, 'refund')))).toBe(
      'account_too_new',
    )
  })

  test('waits where everybody sees it, with why one may not approve it', async () => {
    const { items } = await boss.approval.waiting.query()
    expect(items).toHaveLength(Object.keys(acts).length)
    expect(items.every(({ isOwn, obstacle }) => isOwn && obstacle === 'own_request')).toBe(true)
    const seenBy = async (way: string) => (await ways.get(way)?.approval.waiting.query())?.items[0]?.obstacle
    expect(await seenBy('puppet')).toBe('account_too_new')
    expect(await seenBy('later')).toBe('factor_too_new')
    expect(await waitingFor('yearly')).toMatchObject({
      kind: 'plan',
      requestedBy: 'boss@example.com',
      before: { priceFen: 26_800, durationDays: 365 },
      after: { priceFen: 13_000, durationDays: 365, planName: '年度会员' },
      obstacle: null,
      dueAt: null,
    })
  })

  describe('a day later', () => {
    beforeAll(async () => {
      await world.passTime({ hours: 25 })
      const again = async (name: string) => (await signInAnew(world, `${name}@example.com`)).console
      boss = await again('boss')
      honest = await again('honest')
      for (const way of ways.keys()) ways.set(way, way === 'own' ? boss : await again(way))
    })

    test.each(Object.keys(acts))(
      '%s is approved by nobody whom who asked has made or changed',
      async (act) => {
        expect(await tried(act)).toEqual({
          ends: {
            own: 'second_person_required',
            puppet: 'second_person_required',
            'second-puppet': 'second_person_required',
            reset: 'second_person_required',
            unlocked: 'second_person_required',
            promoted: 'second_person_required',
            later: 'account_too_new',
          },
          took: false,
        })
      },
    )

    test.each(Object.keys(acts))('%s is approved by a colleague of long standing', async (act) => {
      const { approve, took } = waiting(act)
      await approve(honest)
      expect(await took()).toBe(true)
      expect(await problemOf(approve(honest))).toBe('changed_meanwhile')
    })

    test('a late payment given back names who asked and who approved, and its order is parked no more', async () => {
      const [order] = await world.query<{ no: string; parked: boolean; alerts: number }>(
        `SELECT o.out_trade_no AS no, o.parked, (SELECT count(*)::int FROM alerts a
           WHERE a.kind = 'order_parked' AND a.subject = o.out_trade_no AND a.resolved_at IS NULL) AS alerts
         FROM orders o JOIN refunds r ON r.order_id = o.id WHERE r.reason_code = 'late_payment'`,
      )
      expect([order?.parked, order?.alerts]).toEqual([false, 0])
      expect(await refundOf(order?.no ?? '')).toMatchObject({
        status: 'approved',
        requester: 'boss@example.com',
        approver: 'honest@example.com',
      })
    })
  })
})
