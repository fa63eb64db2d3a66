import type { Page } from '@playwright/test'
import { openIdentityProvider } from '../support/identity-provider.ts'
import { expect, test } from '../support/journey.ts'
import { expectFits, type Look, looksOf, wear } from '../support/looks.ts'
import { moveClock } from '../support/move-clock.ts'
import { startWorld } from '../support/start-world.ts'
import { staffId } from '../support/stored-operators.ts'
import { untilAlive } from '../support/until-alive.ts'
import { saying, words } from '../support/words.ts'
import { within, world } from '../support/world.ts'

test.setTimeout(600_000)

const at = (path: string) => `${world().consoleUrl}${path}`
const lin = {
  ...{ sub: 'lin', name: 'Lin Xia', email: 'lin.xia@example.com' },
  ...{ groups: ['shop-owners'], amr: ['otp'] },
}

/** The ways in: the company's button, what went wrong there, and the form for bad days. */
async function showsSignIn(page: Page, look: Look): Promise<void> {
  const { signIn, failures } = words[look.language].session
  await page.goto(at('/sign-in'))
  await expect(page.getByRole('button', { name: saying(signIn.identity) })).toBeVisible()
  await expectFits(page, look)
  await page.goto(at('/sign-in?error=identity_not_admitted'))
  await expect(page.getByText(failures.identity_not_admitted)).toBeVisible()
  await expectFits(page, look)
  await untilAlive(page)
  await page.getByRole('button', { name: signIn.usePassword }).click()
  await expect(page.getByLabel(signIn.email)).toBeVisible()
  await expectFits(page, look)
}

/** Somebody who is bound to the company on the page of the staff, and the dialog that unbinds them. */
async function showsUnbinding(page: Page, look: Look): Promise<void> {
  const { unbindIdentity } = words[look.language].staff.acts
  await page.goto(at(`/staff/${await staffId(lin.email)}`))
  await untilAlive(page)
  await page.getByRole('button', { name: unbindIdentity.button }).click()
  await expect(page.getByRole('dialog', { name: saying(unbindIdentity.title) })).toBeVisible()
  await expectFits(page, look)
}

/** The question that leads to the company again, and the page it leads to. */
async function showsStepUp(page: Page, look: Look): Promise<void> {
  const { unbindIdentity } = words[look.language].staff.acts
  const { stepUp, again, failures } = words[look.language].session
  await page.getByRole('dialog').getByRole('button', { name: unbindIdentity.submit }).click()
  await expect(page.getByRole('dialog', { name: stepUp.heading })).toBeVisible()
  await expectFits(page, look)
  for (const [state, text] of [
    ['', saying(again.lead)],
    ['?error=identity_stale', failures.identity_stale],
    ['?error=identity_not_admitted', again.other],
    ['?done=yes', again.doneLead],
  ] as const) {
    await page.goto(at(`/step-up${state}`))
    await expect(page.getByText(text)).toBeVisible()
    await expectFits(page, look)
  }
}

test('what the company sign-in shows is accessible and fits a phone', async ({ page }) => {
  const provider = await openIdentityProvider([lin])
  const settings = (consoleUrl: string) => ({
    ...provider.start(consoleUrl),
    OIDC_NAME: 'Example AG',
    OIDC_ROLES: 'shop-owners=owner',
    OIDC_PROVISION: 'groups',
    OIDC_SECOND_FACTOR: 'amr=otp',
    OIDC_PASSWORDS: 'owner@meridian.test',
  })
  const own = await startWorld({ settings })
  try {
    await within(own.world, async () => {
      for (const look of looksOf(1)) {
        await page.context().clearCookies()
        await wear(page, look)
        await showsSignIn(page, look)
        await page.goto(at('/dashboard'))
        await untilAlive(page)
        await page.getByRole('button', { name: saying(words[look.language].session.signIn.identity) }).click()
        await page.getByRole('button', { name: lin.name }).click()
        await expect(page).toHaveURL(at('/dashboard'))
        await moveClock(world().sandboxUrl, 1)
        await showsUnbinding(page, look)
        await showsStepUp(page, look)
      }
    })
  } finally {
    await own.stop()
    await provider.close()
  }
})
