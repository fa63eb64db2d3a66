import { openIdentityProvider } from '../support/identity-provider.ts'
import { expect, test } from '../support/journey.ts'
import { startWorld } from '../support/start-world.ts'

test.setTimeout(300_000)

test('a colleague signs in with the company account, and out again', async ({ page }) => {
  const provider = await openIdentityProvider({
    sub: 'colleague-1',
    email: 'colleague@example.com',
    name: 'Lin Xia',
    groups: ['shop-desk'],
    amr: ['otp'],
  })
  const settings = (consoleUrl: string) => ({
    ...provider.start(consoleUrl),
    OIDC_NAME: 'Example AG',
    OIDC_ROLES: 'shop-desk=operator',
    OIDC_PROVISION: 'groups',
    OIDC_SECOND_FACTOR: 'amr=otp',
  })
  const own = await startWorld({ settings })
  try {
    await page.goto(`${own.world.consoleUrl}/orders`)
    await page.getByRole('button', { name: '使用Example AG登录' }).click()
    await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/interaction/`))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(`${own.world.consoleUrl}/orders`)
    await expect(page.getByRole('heading', { name: '订单', level: 1 })).toBeVisible()
    const cookies = await page.context().cookies(own.world.consoleUrl)
    expect(cookies.map(({ name }) => name)).toContain('meridian.session')
    for (const { httpOnly, name } of cookies.filter((cookie) => /session|sign-in/.test(cookie.name)))
      expect([name, httpOnly]).toEqual([name, true])
    await page.goto(`${own.world.consoleUrl}/api/auth/callback/company?code=stolen&state=forged`)
    await expect(page).toHaveURL(/\/(sign-in|orders|dashboard)/)
  } finally {
    await own.stop()
    await provider.close()
  }
})
