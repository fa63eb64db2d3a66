import { beginNote } from '../support/begin-note.ts'
import { furnishDesks } from '../support/furnish-desks.ts'
import { expect, test } from '../support/journey.ts'
import { world } from '../support/world.ts'

test('a difference is opened from the queue, written about, resolved on its page, and read there afterwards', async ({
  finance,
}) => {
  const { paid, openDay } = await furnishDesks()
  await finance.goto(`${world().consoleUrl}/inbox?view=all&kind=difference&limit=100`)
  await finance
    .getByRole('row')
    .filter({ hasText: paid.slice(-6) })
    .getByRole('link')
    .first()
    .click()
  await expect(finance).toHaveURL(/\/reconciliation\/differences\/\d+$/)
  const main = finance.getByRole('main')
  await expect(finance.getByRole('heading', { level: 1 })).toContainText('仅我方有')
  await expect(main.getByRole('link', { name: openDay })).toBeVisible()
  await expect(main).toContainText('−¥29.00')
  await expect(finance.getByRole('region', { name: '订单' })).toContainText('¥29.00')

  await beginNote(finance)
  await finance.getByRole('dialog').getByLabel('备注', { exact: true }).fill('已请微信核对')
  await finance.keyboard.press('Control+Enter')
  const notes = finance.getByRole('region', { name: '备注' })
  await expect(notes).toContainText('已请微信核对')

  await finance.getByRole('button', { name: '解决', exact: true }).click()
  const dialog = finance.getByRole('dialog')
  await dialog.getByLabel('解决说明').fill('账单次日补发，已核对')
  await dialog.getByRole('button', { name: '解决' }).click()
  await expect(main).toContainText('账单次日补发，已核对')
  await expect(finance.getByRole('button', { name: '解决', exact: true })).toHaveCount(0)
  await expect(notes).toContainText('已请微信核对')
})
