import { expect, test } from 'vitest'
import { requestRefund } from '../../src/refunds/request-refund.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { remindExpiring } from '../../src/subscriptions/remind-expiring.ts'
import type { Phone } from '../world/phone.ts'
import { setSetting } from '../world/set-setting.ts'
import { userIdOf } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')

async function buys(phone: Phone, plan: string): Promise<string> {
  return phone.buysAndPays(plan)
}

async function refund(outTradeNo: string, amountFen: number, keepDays = false): Promise<void> {
  const [operator] = await world.query<{ id: string }>('SELECT id FROM operators')
  const { outRefundNo } = await requestRefund(world.services.database.pool, {
    outTradeNo,
    amountFen,
    reason: 'user_request',
    note: null,
    keepDays,
    operatorId: operator?.id ?? '',
    requestId: 'test',
  })
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  await world.platform.settleRefund(outRefundNo)
}

const userOf = (phone: Phone) => userIdOf(world, phone)

/** The plan as the phone, the console's list and its page name it. */
async function planOf(phone: Phone) {
  const userId = await userOf(phone)
  const { items } = await owner.subscription.list.query({ search: userId })
  const { planName } = await owner.subscription.detail.query({ userId })
  return [(await phone.subscription()).plan?.name ?? null, items[0]?.planName, planName]
}

test('a purchase that was refunded whole is nobody’s plan: the one before it is, and a reminder names that', async () => {
  const phone = await world.phone()
  await buys(phone, 'monthly')
  const later = await buys(phone, 'quarterly')
  expect(await planOf(phone)).toEqual(['季度会员', '季度会员', '季度会员'])
  await refund(later, 7900)
  expect(await planOf(phone)).toEqual(['月度会员', '月度会员', '月度会员'])
  const userId = await userOf(phone)
  await setSetting(world, 'message_templates', { expiry_reminder: 'template-1' })
  await setSetting(world, 'expiry_reminder_days', [60])
  await world.query(
    `INSERT INTO message_permissions (user_id, template, remaining) VALUES ($1, 'expiry_reminder', 1)`,
    [userId],
  )
  await remindExpiring(world.services)
  const message = world.platform.messages.find(({ openid }) => openid === phone.openid)
  expect(message?.data['thing1']?.value).toBe('月度会员')
})

test('days of another source under a refunded purchase are of no plan', async () => {
  const phone = await world.phone()
  await refund(await buys(phone, 'monthly'), 2900)
  const userId = await userOf(phone)
  const { entries } = await owner.subscription.previewDays.query({ userId, days: 10 })
  await owner.subscription.changeDays.mutate({ userId, days: 10, reason: 'goodwill', entries })
  expect((await phone.subscription()).remaining_days).toBe(10)
  expect(await planOf(phone)).toEqual([null, null, null])
})

test('a purchase whose days were kept, or are only in part taken back, stays the plan', async () => {
  const [kept, partly] = [await world.phone(), await world.phone()]
  await refund(await buys(kept, 'monthly'), 2900, true)
  await refund(await buys(partly, 'monthly'), 1000)
  expect(await planOf(kept)).toEqual(['月度会员', '月度会员', '月度会员'])
  expect(await planOf(partly)).toEqual(['月度会员', '月度会员', '月度会员'])
})
