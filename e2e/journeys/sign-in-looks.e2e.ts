import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { codeAt } from '../support/authenticator.ts'
import { expect, test } from '../support/journey.ts'
import { expectFits, looksOf, wear } from '../support/looks.ts'
import { plantOperator } from '../support/stored-operators.ts'
import { words } from '../support/words.ts'
import { world } from '../support/world.ts'

for (const look of looksOf(0)) {
  const { signIn, code, enrol, failures } = words[look.language].session
  const give = async (page: Page, { email, password }: { email: string; password: string }) => {
    await page.getByLabel(signIn.email).fill(email)
    await page.getByLabel(signIn.password, { exact: true }).fill(password)
    await page.getByRole('button', { name: signIn.submit, exact: true }).click()
  }
  const picture = (page: Page) => page.getByRole('img', { name: enrol.picture }).locator('svg')

  test(`each step of signing in is accessible and fits a phone, in ${look.language} and ${look.theme}`, async ({
    page,
  }) => {
    const email = `${randomUUID().slice(0, 8)}@meridian.test`
    const { password } = await plantOperator({ email, role: 'finance' })
    const open = async () => {
      await wear(page, look)
      await page.goto(`${world().consoleUrl}/sign-in`)
      await expect(page.getByRole('heading', { name: signIn.heading })).toBeVisible()
    }
    await open()
    await expectFits(page, look)
    await give(page, { email, password: 'not the password' })
    await expect(page.getByText(failures.invalid_credentials)).toBeVisible()
    await expectFits(page, look)

    await give(page, { email, password })
    await expect(page.getByRole('heading', { name: enrol.heading })).toBeVisible()
    await expect(picture(page)).toBeVisible()
    await expectFits(page, look)
    const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
    await page.getByRole('textbox', { name: code.authenticator }).fill(codeAt(secret))
    await page.getByRole('button', { name: enrol.confirm }).click()
    await expect(page.getByRole('list', { name: enrol.codes }).getByRole('listitem')).toHaveCount(10)
    await expectFits(page, look)

    await page.goto('about:blank')
    await page.context().clearCookies()
    await open()
    await give(page, { email, password })
    await expect(page.getByRole('heading', { name: signIn.codeHeading })).toBeVisible()
    await expectFits(page, look)
    await page.getByRole('button', { name: code.useRecovery }).click()
    await expect(page.getByRole('textbox', { name: code.recovery })).toBeVisible()
    await expectFits(page, look)
  })

  test(`a new second factor is set up accessibly and fits a phone, in ${look.language} and ${look.theme}`, async ({
    operator,
  }) => {
    await wear(operator, look)
    await operator.goto(`${world().consoleUrl}/second-factor`)
    await expect(picture(operator)).toBeVisible()
    await expect(operator.getByRole('link', { name: enrol.cancel })).toBeVisible()
    await expectFits(operator, look)
  })
}
