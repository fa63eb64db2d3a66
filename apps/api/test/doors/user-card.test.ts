import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { problemOf } from '../world/console.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const viewer = useConsole(world, 'viewer')

test('the card of whoever made an order says who, how many days are left and which order, as the lists say it', async () => {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays('monthly')
  const [owner] = await world.query<{ id: string }>(
    'SELECT user_id AS id FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  const userId = owner?.id ?? ''
  await world.query(`UPDATE users SET nickname = '王小明' WHERE id = $1`, [userId])
  const card = await viewer.user.card.query({ outTradeNo })
  expect(card).toEqual({
    user: {
      id: userId,
      nickname: '王***',
      state: 'active',
      remainingDays: 30,
      devices: 0,
      createdAt: expect.any(Date),
      expiresAt: expect.any(Date),
    },
    order: {
      outTradeNo,
      status: 'paid',
      planName: '月度会员',
      amountFen: 2900,
      refundedFen: 0,
      createdAt: expect.any(Date),
    },
  })
  expect(await viewer.user.card.query({ userId })).toEqual({ user: card.user, order: null })
})

test('there is no card of nobody and of no order', async () => {
  expect(await problemOf(viewer.user.card.query({ userId: randomUUID() }))).toBe('not_found')
  expect(await problemOf(viewer.user.card.query({ outTradeNo: 'M00000000000000000000000000' }))).toBe(
    'not_found',
  )
})
