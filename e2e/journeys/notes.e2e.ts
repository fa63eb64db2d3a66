import type { Page } from '@playwright/test'
import { beginNote } from '../support/begin-note.ts'
import { countPresses } from '../support/count-presses.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath } from '../support/operator.ts'
import { handleOf } from '../support/stored-operators.ts'
import { world } from '../support/world.ts'

const notesOf = (page: Page) => page.getByRole('region', { name: '备注' })

test('what a caller said is written down and told to a colleague by the keyboard alone', async ({
  operator,
  signedIn,
  phone,
}) => {
  const outTradeNo = (await phone.buys('monthly')).order.out_trade_no
  const { name } = await handleOf(world().operators.finance.email)
  await operator.goto(orderPath(outTradeNo))
  await expect(notesOf(operator)).toContainText('暂无备注')

  const pressed = await countPresses(operator)
  const { keyboard } = operator
  await keyboard.press('n')
  await expect(operator.getByRole('dialog').getByLabel('备注', { exact: true })).toBeFocused()
  await keyboard.type(`已致电，周五付款 @${name.slice(0, -1)}`)
  await expect(operator.getByRole('option', { name, exact: true })).toHaveAttribute('aria-selected', 'true')
  await keyboard.press('Enter')
  await keyboard.press('Control+Enter')
  await expect(operator.getByRole('dialog')).toBeHidden()
  await expect(notesOf(operator).getByRole('listitem')).toContainText(`已致电，周五付款 @${name}`)
  await expect(operator.getByRole('button', { name: '撤回备注' })).toBeVisible()
  // One key, the text, the name that is offered, and the keys that save it.
  await expect.poll(pressed).toMatchObject({ clicks: 0, keys: 3 })

  const finance = await signedIn('finance')
  await finance.goto(`${world().consoleUrl}/dashboard`)
  const mentions = finance.getByRole('button', { name: /提及我的备注：\d+ 条新/ })
  await mentions.click()
  await finance
    .getByRole('link', { name: /已致电，周五付款/ })
    .first()
    .click()
  await expect(finance.getByRole('heading', { level: 1 })).toContainText(outTradeNo)
  await expect(finance.getByRole('button', { name: '提及我的备注', exact: true })).toBeVisible()
})

test('a note that cannot be saved goes from the page again, and what was written is not lost', async ({
  operator,
  phone,
}) => {
  const { order } = await phone.buys('monthly')
  await operator.goto(orderPath(order.out_trade_no))
  await operator.route('**/api/trpc/note.write*', (route) => route.abort())
  await beginNote(operator)
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('备注', { exact: true }).fill('不会丢失')
  await operator.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByLabel('备注', { exact: true })).toHaveValue('不会丢失')
  await expect(notesOf(operator)).toContainText('暂无备注')
  await operator.unroute('**/api/trpc/note.write*')
  await operator.keyboard.press('Control+Enter')
  await expect(notesOf(operator).getByRole('listitem')).toContainText('不会丢失')
})

test('an author takes a note back, and a mark stays', async ({ operator, phone }) => {
  const { order } = await phone.buys('monthly')
  await operator.goto(orderPath(order.out_trade_no))
  await beginNote(operator)
  await expect(operator.getByRole('dialog').getByLabel('备注', { exact: true })).toBeFocused()
  await operator.keyboard.type('写错了')
  await operator.keyboard.press('Control+Enter')
  await operator.getByRole('button', { name: '撤回备注' }).click()
  await expect(notesOf(operator)).toContainText('作者已撤回')
})
