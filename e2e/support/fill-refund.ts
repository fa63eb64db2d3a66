import type { Locator, Page } from '@playwright/test'
import { orderPath } from './operator.ts'

/** Opens the dialog of the refund of a whole order and confirms its number. Answers the dialog and what sends it. */
export async function fillRefund(
  page: Page,
  outTradeNo: string,
): Promise<{ dialog: Locator; send: Locator }> {
  await page.goto(orderPath(outTradeNo))
  await page.getByRole('button', { name: '退款', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `退款：订单 ${outTradeNo}` })
  await dialog.getByLabel('输入订单号的最后 6 位以确认').fill(outTradeNo.slice(-6))
  // Its text says the sum, and whether somebody else has to approve it.
  return { dialog, send: dialog.getByRole('button', { name: /^(?:申请)?退款 ¥/ }) }
}
