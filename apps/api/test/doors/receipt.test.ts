import { expect, test } from 'vitest'
import { problemOf } from '../world/console.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const viewer = useConsole(world, 'viewer')

test('a receipt names the issuer, the purchase and what went back, and nobody’s identity or health', async () => {
  await setSetting(world, 'company_name', '杭州某某科技有限公司')
  await setSetting(world, 'company_tax_id', '91330100MA00000000')
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const [operator] = await world.query<{ id: string }>('SELECT id FROM operators LIMIT 1')
  await refundToItsEnd(world, { outTradeNo, amountFen: 900, operatorId: operator?.id ?? '' })
  const receipt = await viewer.finance.receipt.query({ outTradeNo })
  const [order] = await world.query<{ transaction: string; paid: Date; plan: string }>(
    'SELECT transaction_id AS transaction, paid_at AS paid, plan_name AS plan FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  expect(receipt).toEqual({
    company: { name: '杭州某某科技有限公司', taxId: '91330100MA00000000' },
    outTradeNo,
    transactionId: order?.transaction,
    channel: 'jsapi',
    planName: order?.plan,
    days: 30,
    amountFen: 2900,
    refundedFen: 900,
    paidAt: order?.paid,
    issuedAt: expect.any(Date),
  })
  expect(JSON.stringify(receipt)).not.toContain(phone.openid)
})

test('there is none of an order that was never paid', async () => {
  const { order } = await (await world.phone()).buys()
  expect(await problemOf(viewer.finance.receipt.query({ outTradeNo: order.out_trade_no }))).toBe('not_found')
})
