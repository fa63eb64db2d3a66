import type { Page } from '@playwright/test'
import { ask, auditCount } from '../support/database.ts'
import { openIdentityProvider } from '../support/identity-provider.ts'
import { expect, test } from '../support/journey.ts'
import { moveClock } from '../support/move-clock.ts'
import { codeOf } from '../support/operator.ts'
import { type Credentials, startWorld } from '../support/start-world.ts'
import { staffId } from '../support/stored-operators.ts'
import { untilAlive, usable } from '../support/until-alive.ts'
import { within, world } from '../support/world.ts'

test.setTimeout(300_000)

const colleague = (name: string, groups: string[]) => ({
  ...{ sub: `sub of ${name}`, name, groups, amr: ['otp'] },
  email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
})
const callback = /\/api\/auth\/callback\/company\?/
const company = '使用Example AG登录'
const refused = '企业登录未能完成，请重试。'
/** What the page complains of; the announcer of routes is an alert too. */
const alertOf = (page: Page) => page.getByRole('main').getByRole('alert')
const at = (path: string) => `${world().consoleUrl}${path}`

/** From the console's button to the provider, where somebody presses their name, and back. */
async function signInAs(page: Page, name: string): Promise<void> {
  await untilAlive(page)
  await page.getByRole('button', { name: company }).click()
  await page.getByRole('button', { name, exact: true }).click()
}

/** The answer of the provider as the browser brings it to the console, which others may have seen. */
async function callbackOf(page: Page, name: string): Promise<string> {
  const [brought] = await Promise.all([page.waitForRequest(callback), signInAs(page, name)])
  return brought.url()
}

/** Only the company's button is there; the cookies of the session are read by no script. */
async function entersByCompany(page: Page): Promise<string> {
  await page.goto(at('/orders'))
  await expect(page.getByRole('button', { name: company })).toBeVisible()
  await expect(page.getByLabel('邮箱')).toHaveCount(0)
  await expect(page.getByLabel('密码', { exact: true })).toHaveCount(0)
  const brought = await callbackOf(page, 'Lin Xia')
  await expect(page).toHaveURL(at('/orders'))
  await expect(page.getByRole('heading', { name: '订单', level: 1 })).toBeVisible()
  const cookies = await page.context().cookies(world().consoleUrl)
  expect(cookies.map(({ name }) => name)).toContain('meridian.session')
  for (const { httpOnly, name } of cookies.filter((cookie) => /session|sign-in|next-auth/.test(cookie.name)))
    expect([name, httpOnly]).toEqual([name, true])
  return brought
}

/** What is guarded asks who has no authenticator of ours to sign in at the company again, and then goes on by itself. */
async function stepsUp(page: Page): Promise<void> {
  await moveClock(world().sandboxUrl, 1)
  await page.goto(at(`/staff/${await staffId('viewer@meridian.test')}`))
  await page.getByRole('button', { name: '更改角色' }).click()
  const dialog = page.getByRole('dialog', { name: /^更改 viewer@meridian.test 的角色/ })
  await dialog.getByRole('radio', { name: /^运营/ }).check()
  await dialog.getByRole('button', { name: '更改角色' }).click()
  const question = page.getByRole('dialog', { name: '请验证身份' })
  await expect(question).toContainText('请在新标签页使用Example AG再次登录')
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    question.getByRole('button', { name: '去验证' }).click(),
  ])
  // A tab begins as an empty page, which would count as awake.
  await tab.waitForURL(at('/step-up'), { waitUntil: 'domcontentloaded' })
  await signInAs(tab, 'Cancel')
  await expect(alertOf(tab)).toHaveText(refused)
  await signInAs(tab, 'Mo Li')
  await expect(alertOf(tab)).toContainText('这不是你当前登录的账号')
  await expect(question).toBeVisible()
  await signInAs(tab, 'Lin Xia')
  await expect(question).toBeHidden()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('角色已更改').first()).toBeAttached()
  if (!tab.isClosed()) await tab.close()
}

/** An owner unbinds the account of a colleague, whose sessions end with it. */
async function unbinds(page: Page, others: Page): Promise<void> {
  await others.goto(at('/orders'))
  await signInAs(others, 'Mo Li')
  await expect(others.getByRole('heading', { name: '订单', level: 1 })).toBeVisible()
  const id = await staffId('mo.li@example.com')
  await page.goto(at(`/staff/${id}`))
  await page.getByRole('button', { name: '解除企业身份' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '解除企业身份' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: '解除企业身份' })).toHaveCount(0)
  expect(await auditCount('staff.unbind_identity', id)).toBe(1)
  await others.goto(at('/orders'))
  await expect(others).toHaveURL(/\/sign-in/)
}

async function signsOut(page: Page): Promise<void> {
  await page.goto(at('/dashboard'))
  await page.getByRole('button', { name: /Lin Xia/ }).click()
  await page.getByText('退出登录').click()
  await expect(page).toHaveURL(/\/sign-in/)
  await page.goto(at('/orders'))
  await expect(page).toHaveURL(/\/sign-in\?next=%2Forders$/)
}

/** What the provider once answered opens nothing again, in this browser or another, nor does what somebody made up. */
async function refusesForgeries(page: Page, stranger: Page, brought: string): Promise<void> {
  for (const [who, url] of [
    [page, brought],
    [stranger, brought],
    [stranger, at('/api/auth/callback/company?code=stolen&state=forged')],
    [stranger, at('/api/auth/callback/company?error=access_denied')],
  ] as const) {
    await who.goto(url)
    await expect(who).toHaveURL(/\/sign-in\?/)
    await expect(alertOf(who)).toHaveText(refused)
  }
}

type Provider = Awaited<ReturnType<typeof openIdentityProvider>>

/** A code that its owner never got to bring. */
async function stealCode(page: Page, provider: Provider): Promise<string> {
  let stolen = ''
  provider.alter((answer) => {
    stolen = answer.get('code') ?? ''
    answer.set('code', 'lost')
  })
  await page.goto(at('/sign-in'))
  await untilAlive(page)
  await page.getByRole('button', { name: company }).click()
  await expect(alertOf(page)).toHaveText(refused)
  expect(stolen).not.toBe('')
  return stolen
}

/** A sign-in of one's own whose answer is altered on its way: by a stolen code, another state or another issuer. */
async function refusesAltered(stranger: Page, provider: Provider, altered: Record<string, string>) {
  for (const [name, value] of Object.entries(altered)) {
    provider.alter((answer) => answer.set(name, value))
    await stranger.context().clearCookies()
    await stranger.goto(at('/sign-in'))
    await signInAs(stranger, 'Guest')
    await expect(alertOf(stranger), name).toHaveText(refused)
  }
  provider.alter(null)
}

/** Whatever address a sign-in is begun with to come back to, it ends at this console. */
async function leadsNowhereElse(page: Page): Promise<void> {
  await page.goto(at('/sign-in'))
  const provider = await page.evaluate(async () => {
    const { csrfToken } = await (await fetch('/api/auth/csrf')).json()
    const body = new URLSearchParams({ csrfToken, callbackUrl: 'https://evil.example/', json: 'true' })
    const answer = await fetch('/api/auth/signin/company', { method: 'POST', body })
    return String((await answer.json()).url)
  })
  expect(new URL(provider).searchParams.get('redirect_uri')).toBe(at('/api/auth/callback/company'))
  await page.goto(provider)
  await expect(page).toHaveURL(at('/dashboard'))
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
}

/** The one owner who keeps a password for bad days signs in with it; nobody else’s opens anything. */
async function keepsBreakGlass(page: Page): Promise<void> {
  const { finance, owner } = world().operators
  const answer = async ({ email, password }: Credentials) => {
    await page.getByLabel('邮箱').fill(email)
    await page.getByLabel('密码', { exact: true }).fill(password)
    await page.getByRole('button', { name: '登录', exact: true }).click()
  }
  await page.goto(at('/sign-in'))
  await page.getByRole('button', { name: '使用应急密码' }).click()
  await answer(finance)
  await expect(alertOf(page)).toHaveText('邮箱或密码不正确，请检查后重试。')
  await answer(owner)
  await page.getByLabel('验证码').fill(await codeOf('owner'))
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
}

test('operators sign in with the company account, prove themselves by it, and get out and no further', async ({
  browser,
  contextOptions,
  page,
}) => {
  const provider = await openIdentityProvider([
    colleague('Lin Xia', ['shop-owners']),
    colleague('Mo Li', ['shop-desk']),
    colleague('Guest', []),
  ])
  const settings = (consoleUrl: string) => ({
    ...provider.start(consoleUrl),
    OIDC_NAME: 'Example AG',
    OIDC_ROLES: 'shop-owners=owner,shop-desk=operator',
    OIDC_PROVISION: 'groups',
    OIDC_SECOND_FACTOR: 'amr=otp',
    OIDC_PASSWORDS: 'owner@meridian.test',
  })
  const own = await startWorld({ settings })
  const context = await browser.newContext({ ...contextOptions, locale: 'zh-CN' })
  try {
    await within(own.world, async () => {
      const others = usable(await context.newPage())
      const brought = await entersByCompany(page)
      await stepsUp(page)
      await unbinds(page, others)
      await signsOut(page)
      const stranger = usable(
        await (await browser.newContext({ ...contextOptions, locale: 'zh-CN' })).newPage(),
      )
      await refusesForgeries(page, stranger, brought)
      await refusesAltered(stranger, provider, {
        code: await stealCode(page, provider),
        state: 'x'.repeat(43),
        iss: 'https://other.example',
      })
      await stranger.goto(at('/sign-in'))
      await stranger.getByRole('button', { name: company }).click()
      await expect(alertOf(stranger)).toHaveText('你的企业账号无权访问此控制台，请联系所有者。')
      expect(await ask('SELECT FROM operators WHERE email = $1', ['guest@example.com'])).toEqual([])
      await stranger.context().close()
      await leadsNowhereElse(page)
      await signsOut(page)
      await keepsBreakGlass(page)
    })
  } finally {
    await context.close()
    await own.stop()
    await provider.close()
  }
})
