import { randomUUID } from 'node:crypto'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { answerSignIn } from '../support/operator.ts'
import { plantOperator } from '../support/stored-operators.ts'
import { world } from '../support/world.ts'

const consoleUrl = () => world().consoleUrl

test('an owner adds somebody, who signs in once with the one-time password and must change it', async ({
  operator,
  page,
}) => {
  const email = `new-${randomUUID().slice(0, 8)}@meridian.test`
  await operator.goto(`${consoleUrl()}/staff`)
  await operator.getByRole('button', { name: '添加操作员' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('邮箱').fill(email)
  await dialog.getByLabel('姓名').fill('新同事')
  await dialog.getByRole('radio', { name: /^查看者/ }).check()
  await dialog.getByRole('button', { name: '创建账号' }).click()
  const given = operator.getByRole('dialog', { name: `${email} 的一次性密码` })
  const password = (await given.getByText(/^[A-Za-z0-9]{23}$/).textContent()) ?? ''
  await expect(given.getByRole('button', { name: '取消' })).toHaveCount(0)
  await given.getByRole('button', { name: '我已转交' }).click()
  await expect(operator.getByRole('link', { name: email })).toBeVisible()

  await page.goto(`${consoleUrl()}/sign-in`)
  await page.getByLabel('邮箱').fill(email)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('heading', { name: '设置新密码' })).toBeVisible()
})

test('a session that is ended in one browser is over in the other', async ({ operator, page }) => {
  const email = `two-${randomUUID().slice(0, 8)}@meridian.test`
  const someone = await plantOperator({ email, role: 'viewer' })
  await page.goto(`${consoleUrl()}/sign-in`)
  await page.getByLabel('邮箱').fill(email)
  await page.getByLabel('密码', { exact: true }).fill(someone.password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()

  await operator.goto(`${consoleUrl()}/staff`)
  await operator.getByRole('link', { name: email }).click()
  await operator.getByRole('button', { name: /^结束来自/ }).click()
  await expect(operator.getByText('没有打开的会话。')).toBeVisible()
  await page.getByRole('link', { name: '订阅' }).first().click()
  await expect(page.getByRole('heading', { name: '登录控制台' })).toBeVisible()

  await operator.getByRole('link', { name: '在审计日志中查看其操作' }).click()
  await expect(
    operator.getByRole('table', { name: '操作列表' }).getByRole('link', { name: '登录' }),
  ).toBeVisible()
})

test('a viewer sees their own acts and sessions', async ({ signedIn }) => {
  const page = await signedIn('viewer')
  await page.goto(`${consoleUrl()}/audit`)
  await expect(page.getByRole('heading', { name: '我的操作记录' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'viewer@meridian.test' }).first()).toBeVisible()
  await expect(page.getByRole('cell', { name: 'owner@meridian.test' })).toHaveCount(0)
  await goWithin(page, `${consoleUrl()}/account`)
  await expect(page.getByText('当前会话')).toBeVisible()
  await expect(page.getByRole('link', { name: '设置两步验证' })).toBeVisible()
})

test('an act is found in the audit log with what it changed', async ({ operator }) => {
  const email = `role-${randomUUID().slice(0, 8)}@meridian.test`
  await plantOperator({ email, role: 'viewer' })
  await operator.goto(`${consoleUrl()}/staff`)
  await operator.getByRole('link', { name: email }).click()
  await expect(operator).toHaveURL(/\/staff\/./)
  await operator.getByRole('button', { name: '更改角色' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^运营/ }).check()
  await dialog.getByRole('button', { name: '更改角色' }).click()
  await expect(dialog).toBeHidden()
  const staffId = new URL(operator.url()).pathname.split('/').at(-1) ?? ''
  await goWithin(operator, `${consoleUrl()}/audit?q=${staffId}`)
  await operator.getByRole('link', { name: '更改角色' }).click()
  const row = operator.getByRole('table', { name: '变更内容' }).getByRole('row', { name: /^role/ })
  await expect(row).toContainText('viewer')
  await expect(row).toContainText('operator')
})

test('anything is found by its id from anywhere, and pages by their names', async ({ operator, phone }) => {
  const { order } = await phone.buys('monthly')
  await operator.goto(`${consoleUrl()}/account`)
  const palette = operator.getByRole('dialog', { name: '查找任何内容' })
  const field = palette.getByRole('combobox')
  await expect(async () => {
    await operator.keyboard.press('Control+k')
    await expect(field).toBeFocused({ timeout: 500 })
  }).toPass()
  await field.fill(order.out_trade_no)
  await operator.keyboard.press('Enter')
  await expect(operator.getByRole('heading', { level: 1 })).toContainText(order.out_trade_no)
  await operator.keyboard.press('Control+k')
  await field.fill('审计')
  await operator.keyboard.press('Enter')
  await expect(operator.getByRole('heading', { name: '审计日志', level: 1 })).toBeVisible()
  await operator.keyboard.press('?')
  await expect(operator.getByRole('dialog', { name: '快捷键' })).toBeVisible()
})

test('the console guards its cookie, its scripts and its door', async ({ page, request }) => {
  await page.goto(`${consoleUrl()}/orders`)
  await answerSignIn(page, 'viewer')
  await expect(page.getByRole('heading', { name: '订单', level: 1 })).toBeVisible()
  const cookies = await page.context().cookies()
  const session = cookies.find(({ name }) => name === 'meridian.session')
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(await page.evaluate(() => document.cookie)).not.toContain('meridian.session')

  const answer = await page.goto(`${consoleUrl()}/orders`)
  const policy = answer?.headers()['content-security-policy'] ?? ''
  const scripts = policy.split('; ').find((part) => part.startsWith('script-src')) ?? ''
  expect(scripts).toMatch(/'nonce-[\w+/=]{20,}' 'strict-dynamic'$/)
  expect(scripts).not.toMatch(/unsafe/)
  for (const wanted of [
    `default-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ])
    expect(policy).toContain(wanted)

  const knock = (headers: Record<string, string>) =>
    page
      .context()
      .request.post(`${consoleUrl()}/api/trpc/operator.signOut`, { headers, data: { json: null } })
  expect((await knock({ origin: 'https://evil.example' })).status()).toBe(403)
  expect((await knock({ 'sec-fetch-site': 'cross-site' })).status()).toBe(403)
  expect((await knock({})).status()).toBe(403)
  expect((await request.post(`${world().apiUrl}/trpc/operator.signOut`, { data: {} })).status()).toBe(404)
  await page.reload()
  await expect(page.getByRole('heading', { name: '订单', level: 1 })).toBeVisible()
})
