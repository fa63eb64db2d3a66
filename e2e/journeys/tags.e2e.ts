import type { Page } from '@playwright/test'
import { beginTag } from '../support/begin-note.ts'
import { countPresses } from '../support/count-presses.ts'
import { ask } from '../support/database.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath, ordersPath } from '../support/operator.ts'
import { world } from '../support/world.ts'

const tagsOf = (page: Page) => page.getByRole('main').getByRole('list', { name: '标签' }).first()
const finder = (page: Page) => page.getByRole('dialog').getByRole('combobox', { name: '查找或新建标签' })
let made = 0
const newLabel = (what: string) => `${what} ${Date.now().toString(36)}${++made}`

test('an order is tagged by the keyboard alone, found by its tag, and loses it by one click', async ({
  operator,
  phone,
}) => {
  const outTradeNo = (await phone.buys('monthly')).order.out_trade_no
  const label = newLabel('vip')
  await operator.goto(orderPath(outTradeNo))
  await expect(operator.getByRole('button', { name: '添加标签' })).toBeVisible()

  const pressed = await countPresses(operator)
  const { keyboard } = operator
  await keyboard.press('t')
  await expect(finder(operator)).toBeFocused()
  await keyboard.type(label)
  await expect(operator.getByRole('option', { name: /新建标签/ })).toHaveAttribute('aria-selected', 'true')
  // The page shows the tag before the API has it: who leaves at once gives up what was not sent yet.
  const kept = operator.waitForResponse((response) => response.url().includes('tag.setNew'))
  await keyboard.press('Enter')
  await expect(operator.getByRole('dialog')).toBeHidden()
  await expect(operator.getByRole('button', { name: `移除标签“${label}”` })).toBeVisible()
  expect((await kept).ok()).toBe(true)
  // The key that opens it, the label, and the key that makes and sets it.
  await expect.poll(pressed).toMatchObject({ clicks: 0, keys: 2 })

  await goWithin(operator, ordersPath())
  await operator.getByRole('combobox', { name: '按标签筛选' }).click()
  await operator.getByRole('option', { name: label }).click()
  await expect(operator).toHaveURL(/tag=\d+/)
  await expect(operator.getByRole('row').filter({ hasText: label })).toHaveCount(1)
  await operator.reload()
  const row = operator.getByRole('row').filter({ hasText: label })
  await expect(row).toHaveCount(1)

  await goWithin(operator, `${world().consoleUrl}/dashboard`)
  await operator.keyboard.press('Control+k')
  await expect(operator.getByRole('combobox', { name: '查找任何内容' })).toBeFocused()
  await operator.keyboard.type(`#${label}`)
  const offered = operator.getByRole('option', { name: `带标签 #${label} 的订单` })
  await expect(offered).toHaveAttribute('aria-selected', 'true')
  await operator.keyboard.press('Enter')
  await expect(operator).toHaveURL(/\/orders\?tag=\d+/)
  await expect(row).toHaveCount(1)

  await goWithin(operator, orderPath(outTradeNo))
  const clicked = await countPresses(operator)
  await operator.getByRole('button', { name: `移除标签“${label}”` }).click()
  await expect(operator.getByText(`已移除标签“${label}”`)).toBeVisible()
  await expect(tagsOf(operator)).not.toContainText(label)
  await expect.poll(clicked).toMatchObject({ clicks: 1, keys: 0 })
})

test('a tag that cannot be set goes from the page again, and why is said', async ({ operator, phone }) => {
  const outTradeNo = (await phone.buys('monthly')).order.out_trade_no
  await operator.goto(orderPath(outTradeNo))
  await operator.route('**/api/trpc/tag.setNew*', (route) => route.abort())
  await beginTag(operator)
  await finder(operator).fill(newLabel('lost'))
  await operator.keyboard.press('Enter')
  await expect(operator.getByRole('status').filter({ hasText: '连不上服务器' })).toBeVisible()
  await expect(tagsOf(operator)).not.toContainText('lost')
})

test('an owner renames, merges and archives tags, which show so where they are set', async ({
  operator,
  phone,
}) => {
  const outTradeNo = (await phone.buys('monthly')).order.out_trade_no
  const [kept, gone, other] = [newLabel('keep'), newLabel('gone'), newLabel('name')]
  await operator.goto(orderPath(outTradeNo))
  for (const label of [kept, gone]) {
    await beginTag(operator)
    await finder(operator).fill(label)
    await operator.keyboard.press('Enter')
    await expect(operator.getByRole('button', { name: `移除标签“${label}”` })).toBeVisible()
  }
  await goWithin(operator, `${world().consoleUrl}/tags?limit=100`)
  const rowOf = (label: string) => operator.getByRole('row').filter({ hasText: label })
  const dialog = operator.getByRole('dialog')
  await rowOf(kept).hover()
  await rowOf(kept).getByRole('button', { name: '编辑' }).click()
  await dialog.getByLabel('名称').fill(other)
  await dialog.getByRole('radio', { name: '红色' }).check()
  await dialog.getByRole('button', { name: '保存标签' }).click()
  await expect(rowOf(other)).toBeVisible()

  await rowOf(gone).hover()
  await rowOf(gone).getByRole('button', { name: '合并' }).click()
  await dialog.getByLabel('合并到').selectOption(other)
  await dialog.getByRole('button', { name: `合并“${gone}”` }).click()
  await expect(rowOf(gone)).toHaveCount(0)

  await rowOf(other).hover()
  await rowOf(other).getByRole('button', { name: '归档' }).click()
  await expect(rowOf(other)).toHaveCount(0)
  await operator.getByRole('link', { name: '已归档' }).click()
  await expect(rowOf(other)).toBeVisible()

  await goWithin(operator, orderPath(outTradeNo))
  await expect(tagsOf(operator)).toContainText(`${other}（已归档）`)
  await beginTag(operator)
  await finder(operator).fill(other)
  await expect(operator.getByRole('option', { name: other })).toContainText('新建标签')
  const [row] = await ask(
    `SELECT count(*)::int AS count FROM taggings WHERE subject_kind = 'order' AND subject_id = $1`,
    [outTradeNo],
  )
  expect(row).toEqual({ count: 1 })
})
