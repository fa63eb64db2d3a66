import type { Page } from '@playwright/test'
import { askOne } from '../support/database.ts'
import { fillRefund } from '../support/fill-refund.ts'
import { plantNotes } from '../support/furnish-notes.ts'
import { plantTags } from '../support/furnish-tags.ts'
import { unlockPhone } from '../support/phone.ts'
import { plantDevelopers } from '../support/plant-developers.ts'
import { plantReconciledDay, plantWaiting } from '../support/planted-desks.ts'
import { keepProven } from '../support/stored-operators.ts'
import { parkOrder } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

/** A price and a setting that a colleague asked for. */
async function leaveRequests(): Promise<void> {
  const { email } = world().operators.finance
  await plantWaiting({
    ...{ kind: 'plan', subject: 'yearly', email },
    before: { priceFen: 26_800, durationDays: 365 },
    after: { act: 'change_price', code: 'yearly', priceFen: 9900, durationDays: 365 },
  })
  await plantWaiting({
    ...{ kind: 'setting', subject: 'price_floor_fen_per_day', email },
    before: { version: 1, value: 10 },
    after: { version: 2, value: 20 },
  })
}

/** Whoever takes calls sees names: for their session, with a reason. */
async function showNames(page: Page): Promise<void> {
  await keepProven(world().operators.owner.email)
  await page.goto(`${world().consoleUrl}/users`)
  await page.getByRole('button', { name: /的账号菜单$/ }).click()
  await page.getByRole('button', { name: '显示昵称' }).click()
  const dialog = page.getByRole('dialog', { name: '显示昵称' })
  await dialog.getByRole('textbox').fill('客户来电报昵称')
  await dialog.getByRole('button', { name: '显示昵称' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** What desks are for: what waits for a second person, an order at the side, a day with a difference. */
export async function leaveTraces(page: Page): Promise<void> {
  const buyer = await unlockPhone()
  const refunded = await buyer.buysAndPays('yearly')
  await keepProven(world().operators.owner.email)
  await (await fillRefund(page, refunded.out_trade_no)).send.click()
  await page.waitForURL(/\/refunds\/R/)

  const odd = await buyer.buysAndPays('monthly')
  await parkOrder(odd.out_trade_no)
  const { yesterday } = await askOne<{ yesterday: string }>(
    `SELECT ((business_now() AT TIME ZONE 'Asia/Shanghai')::date - 1)::text AS yesterday`,
  )
  await plantReconciledDay(yesterday, odd.out_trade_no)
  await plantNotes(odd.out_trade_no)
  await plantTags({ outTradeNo: odd.out_trade_no, serial: 'MER-0045' })
  await plantDevelopers()
  await leaveRequests()
  await showNames(page)
}
