import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { listedOrders, ordersPath } from '../support/operator.ts'
import { unlockPhone } from '../support/phone.ts'

test('the filters of the order list live in the address: reload and back reproduce the screen', async ({
  phone,
  operator,
}) => {
  const paid = await phone.buysAndPays('quarterly')
  const { order: unpaid } = await phone.buys('monthly')
  await operator.goto(ordersPath())
  await expect(listedOrders(operator).filter({ hasText: unpaid.out_trade_no })).toBeVisible()

  await operator.getByRole('navigation', { name: '按状态筛选' }).getByRole('link', { name: '已支付' }).click()
  await expect(operator).toHaveURL(/[?&]status=paid/)
  await expect(listedOrders(operator).filter({ hasText: unpaid.out_trade_no })).toHaveCount(0)
  await expect(listedOrders(operator).filter({ hasText: paid.out_trade_no })).toBeVisible()

  const search = operator.getByRole('searchbox')
  await search.fill(paid.out_trade_no)
  await search.press('Enter')
  await expect(operator).toHaveURL(new RegExp(`q=${paid.out_trade_no}`))
  await expect(listedOrders(operator)).toHaveCount(1)
  await expect(listedOrders(operator)).toHaveAttribute('title', paid.out_trade_no)

  await operator.reload()
  await expect(search).toHaveValue(paid.out_trade_no)
  await expect(listedOrders(operator)).toHaveCount(1)
  await expect(listedOrders(operator)).toHaveAttribute('title', paid.out_trade_no)

  await operator.goBack()
  await expect(operator).not.toHaveURL(/q=/)
  await expect(operator).toHaveURL(/[?&]status=paid/)
  await expect(search).toHaveValue('')

  await goWithin(operator, `${ordersPath()}?channel=virtual`)
  await expect(operator.getByText('没有符合条件的订单')).toBeVisible()
  await goWithin(operator, `${ordersPath()}?channel=jsapi`)
  await expect(listedOrders(operator).filter({ hasText: paid.out_trade_no })).toBeVisible()
})

test('pages turn by button, key and back; each begins at its top, and a filter begins again at the first', async ({
  phone,
  operator,
}) => {
  const { order } = await phone.buys('monthly')
  await Promise.all(Array.from({ length: 20 }, async () => (await unlockPhone()).buys('monthly')))
  const oldest = listedOrders(operator).and(operator.getByTitle(order.out_trade_no))
  await operator.goto(ordersPath())
  await expect(listedOrders(operator)).toHaveCount(20)

  await operator.getByRole('button', { name: '下一页' }).click()
  await expect(oldest).toBeVisible()
  await expect(operator).toHaveURL(/[?&]cursor=/)
  await expect.poll(() => operator.evaluate(() => scrollY)).toBe(0)

  await operator.goBack()
  await expect(oldest).toHaveCount(0)
  await expect(operator).not.toHaveURL(/cursor=/)
  await operator.keyboard.press(']')
  await expect(oldest).toBeVisible()
  await operator.keyboard.press('[')
  await expect(oldest).toHaveCount(0)
  await expect(operator).toHaveURL(/[?&]cursor=/)

  await operator.getByRole('navigation', { name: '按状态筛选' }).getByRole('link', { name: '待支付' }).click()
  await expect(operator).toHaveURL(/[?&]status=/)
  await expect(operator).not.toHaveURL(/cursor=/)
})

test('a search without a result says so and offers the way back', async ({ operator }) => {
  await operator.goto(ordersPath('?q=M00000000000000000000000000'))
  await expect(operator.getByText('没有符合条件的订单')).toBeVisible()
})
