import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ask } from '../support/database.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { listedOrders, ordersPath } from '../support/operator.ts'
import { hits, palette, searchFrom } from '../support/palette.ts'
import type { Phone } from '../support/phone.ts'
import { world } from '../support/world.ts'

/** The search, opened on the order list; answers what is pressed from there on. */
const atTheDesk = (page: Page) => searchFrom(page, ordersPath())

/** Pastes as somebody does who has copied a chat message. */
async function paste(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+v')
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** An order that was paid by somebody of this name. */
async function paidBy(phone: Phone, nickname: string) {
  const order = await phone.buysAndPays('monthly')
  const [payer] = await ask<{ id: string }>(
    `UPDATE users SET nickname = $2 FROM orders WHERE orders.user_id = users.id AND out_trade_no = $1
     RETURNING users.id`,
    [order.out_trade_no, nickname],
  )
  return { number: order.out_trade_no, payerId: payer?.id ?? '' }
}

test('the last six characters of an order open it: eight keys', async ({ operator, phone }) => {
  const { out_trade_no: number } = await phone.buysAndPays('monthly')
  const pressed = await atTheDesk(operator)
  await operator.keyboard.type(number.slice(-6))
  await expect(hits(operator).first()).toContainText(number.slice(-6))
  await operator.keyboard.press('Enter')
  await expect(heading(operator)).toContainText(number)
  await expect.poll(pressed).toEqual({ clicks: 0, keys: 2, characters: 6 })
})

test('the number of a hit is whole to point at, and copied while nothing of the text is selected', async ({
  operator,
  phone,
}) => {
  const { out_trade_no: number } = await phone.buysAndPays('monthly')
  await operator.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => operator.evaluate(() => navigator.clipboard.readText())
  await atTheDesk(operator)
  const typed = number.slice(-6)
  await operator.keyboard.type(typed)
  await expect(hits(operator).first().getByTitle(number)).toBeVisible()
  await operator.keyboard.press('Control+c')
  await expect.poll(copied).toBe(number)
  await operator.keyboard.press('Control+a')
  await operator.keyboard.press('Control+c')
  await expect.poll(copied).toBe(typed)
})

test('a nickname, or the amount and the day, find the order in two words among the first five', async ({
  operator,
  phone,
}) => {
  const nickname = `晓${randomUUID().slice(0, 6)}`
  const { number } = await paidBy(phone, nickname)
  for (const words of [`${nickname} 29`, '29 今天']) {
    const pressed = await atTheDesk(operator)
    await operator.keyboard.type(words)
    const wanted = hits(operator).filter({ hasText: number.slice(-6) })
    await expect(wanted).toBeVisible()
    await expect(wanted).toContainText('已支付')
    await expect(wanted).toContainText('晓***')
    await expect(wanted).toContainText('¥29.00')
    const at = (await hits(operator).allInnerTexts()).findIndex((text) => text.includes(number.slice(-6)))
    expect(at).toBeLessThan(5)
    for (let step = 0; step < at; step += 1) await operator.keyboard.press('ArrowDown')
    await operator.keyboard.press('Enter')
    await expect(heading(operator)).toContainText(number)
    await expect.poll(pressed).toMatchObject({ clicks: 0, keys: 2 + at })
  }
})

test('a number is taken out of the message that is pasted: three keys', async ({ operator, phone }) => {
  const { out_trade_no: number } = await phone.buysAndPays('monthly')
  const talk = '您好，我昨天在你们小程序里买了会员，付款以后一直没有开通。'
  const byTail = await atTheDesk(operator)
  await paste(operator, `${talk.repeat(8)}订单尾号：${number.slice(-6)}，麻烦看一下`)
  await expect(hits(operator).first()).toContainText(number.slice(-6))
  await operator.keyboard.press('Enter')
  await expect(heading(operator)).toContainText(number)
  await expect.poll(byTail).toEqual({ clicks: 0, keys: 3, characters: 0 })

  const whole = await atTheDesk(operator)
  await paste(operator, `${talk}订单号${number}。`)
  await expect(heading(operator)).toContainText(number)
  await expect.poll(whole).toEqual({ clicks: 0, keys: 2, characters: 0 })

  await operator.goto(ordersPath())
  await operator.getByRole('searchbox', { name: /^搜索订单号/ }).focus()
  await paste(operator, `${talk}订单号 ${number} 没到账`)
  await expect(operator).toHaveURL(new RegExp(`[?&]q=${number}$`))
  await expect(listedOrders(operator)).toHaveCount(1)
})

test('who may see names switches them on for the session, for a reason, and off again', async ({
  operator,
  phone,
}) => {
  const nickname = `林${randomUUID().slice(0, 6)}`
  const { number, payerId } = await paidBy(phone, nickname)
  await operator.goto(ordersPath(`?q=${number}`))
  const row = operator.getByRole('table', { name: '订单列表' }).getByRole('row').filter({ hasText: '林***' })
  await expect(row).toBeVisible()
  await operator.getByRole('button', { name: /的账号菜单$/ }).click()
  await operator.getByRole('button', { name: '显示昵称' }).click()
  const dialog = operator.getByRole('dialog', { name: '显示昵称' })
  await dialog.getByRole('textbox').fill('客户来电报昵称')
  await dialog.getByRole('button', { name: '显示昵称' }).click()
  await expect(dialog).toBeHidden()
  const named = operator.getByRole('link', { name: nickname })
  await expect(named).toBeVisible()
  await expect(operator.getByText('昵称可见')).toBeVisible()
  await named.click()
  await expect(operator).toHaveURL(`${world().consoleUrl}/users/${payerId}`)
  await goWithin(operator, ordersPath(`?q=${number}`))
  await expect(listedOrders(operator).first()).toBeVisible()
  await operator.keyboard.press('Control+k')
  await palette(operator).getByRole('combobox').fill('隐藏昵称')
  await operator.keyboard.press('Enter')
  await expect(row).toBeVisible()
  await expect(operator.getByText('昵称可见')).toBeHidden()
})

test('what was pinned or opened last stands in the search before anything is typed', async ({
  operator,
  phone,
}) => {
  const { number } = await paidBy(phone, '卫')
  const { out_trade_no: other } = await phone.buysAndPays('quarterly')
  await operator.goto(`${ordersPath()}/${number}`)
  await operator.getByRole('button', { name: '固定此页' }).click()
  await expect(operator.getByRole('button', { name: '取消固定' })).toBeVisible()
  await goWithin(operator, `${ordersPath()}/${other}`)
  await expect(operator.getByRole('button', { name: '固定此页' })).toBeVisible()
  await atTheDesk(operator)
  const groupOf = (name: string) => palette(operator).getByRole('group', { name }).getByRole('option')
  await expect(groupOf('已固定').first()).toContainText('已支付')
  await expect(groupOf('已固定').first()).toContainText('¥29.00')
  await expect(groupOf('最近打开').first()).toContainText(other.slice(-6))
  await operator.keyboard.press('Enter')
  await expect(heading(operator)).toContainText(number)
  await operator.getByRole('button', { name: '取消固定' }).click()
  await expect(operator.getByRole('button', { name: '固定此页' })).toBeVisible()
})
