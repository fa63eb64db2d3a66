import { expect, test } from 'vitest'
import { remindExpiring } from '../../src/subscriptions/remind-expiring.ts'
import { idOf } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { userIdOf } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')

const refund = async (outTradeNo: string, amountFen: number, keepDays = false) => {
  const operatorId = await idOf(world, 'owner@example.com')
  await refundToItsEnd(world, { outTradeNo, amountFen, keepDays, operatorId })
}

/** The plan as the phone, the console's list and its page name it. */
async function planOf(phone: Phone) {
  const userId = await userIdOf(world, phone)
  const { items } = await owner.subscription.list.query({ search: userId })
  const { planName } = await owner.subscription.detail.query({ userId })
  return [(await phone.subscription()).plan?.name ?? null, items[0]?.planName, planName]
}

test('a purchase that was refunded whole is nobody’s plan: the one before it is, and a reminder names that', async () => {
  const phone = await world.phone()
  await phone.buysAndPays('monthly')
  const later = await phone.buysAndPays('quarterly')
  expect(await planOf(phone)).toEqual(['季度会员', '季度会员', '季度会员'])
  await refund(later, 7900)
  expect(await planOf(phone)).toEqual(['月度会员', '月度会员', '月度会员'])
  const userId = await userIdOf(world, phone)
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
  await refund(await phone.buysAndPays('monthly'), 2900)
  const userId = await userIdOf(world, phone)
  const { entries } = await owner.subscription.previewDays.query({ userId, days: 10 })
  await owner.subscription.changeDays.mutate({ userId, days: 10, reason: 'goodwill', entries })
  expect((await phone.subscription()).remaining_days).toBe(10)
  expect(await planOf(phone)).toEqual([null, null, null])
})

test('a purchase whose days were kept, or are only in part taken back, stays the plan', async () => {
  const [kept, partly] = [await world.phone(), await world.phone()]
  await refund(await kept.buysAndPays('monthly'), 2900, true)
  await refund(await partly.buysAndPays('monthly'), 1000)
  expect(await planOf(kept)).toEqual(['月度会员', '月度会员', '月度会员'])
  expect(await planOf(partly)).toEqual(['月度会员', '月度会员', '月度会员'])
})
