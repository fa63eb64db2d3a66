import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { codeAt } from '../support/authenticator.ts'
import { fillRefund } from '../support/fill-refund.ts'
import { expect, test } from '../support/journey.ts'
import { codeOf, signIn } from '../support/operator.ts'
import {
  keepProven,
  letCodesPass,
  letPasswordPass,
  letProofPass,
  plantOperator,
  staffId,
} from '../support/stored-operators.ts'
import { refundsOf } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'
import type { OperatorName } from '../support/world-templates.ts'

const consoleUrl = () => world().consoleUrl
const submit = (page: Page) => page.getByRole('button', { name: '登录', exact: true }).click()

async function givePassword(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto(`${consoleUrl()}/sign-in`)
  await page.getByLabel('邮箱').fill(email)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await submit(page)
}

/** From a page that asks for nothing: one that finds itself signed out goes somewhere by itself. */
async function forgetSession(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

test('finance sets an authenticator up at the first sign-in, signs in with it, and once with a recovery code', async ({
  page,
}) => {
  const email = `${randomUUID().slice(0, 8)}@meridian.test`
  const someone = await plantOperator({ email, role: 'finance' })
  await givePassword(page, someone)
  await expect(page.getByRole('heading', { name: '设置两步验证' })).toBeVisible()
  await expect(page.getByRole('img', { name: '两步验证的二维码' }).locator('svg')).toBeVisible()
  await page.goto(`${consoleUrl()}/orders`)
  await expect(page.getByRole('heading', { name: '设置两步验证' })).toBeVisible()

  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await page.getByLabel('验证码').fill('000000')
  await page.getByRole('button', { name: '验证并启用' }).click()
  await expect(page.getByRole('alert').filter({ hasText: '验证码不正确' })).toBeVisible()
  await page.getByLabel('验证码').fill(codeAt(secret))
  await page.getByRole('button', { name: '验证并启用' }).click()
  const codes = page.getByRole('list', { name: '恢复码' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recoveryCode = (await codes.first().textContent()) ?? ''
  await page.getByRole('button', { name: '我已妥善保存' }).click()
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()

  await forgetSession(page)
  await givePassword(page, someone)
  await expect(page.getByRole('heading', { name: '两步验证' })).toBeVisible()
  await page.getByLabel('验证码').fill('000000')
  await submit(page)
  await expect(page.getByRole('alert').filter({ hasText: '验证码不正确' })).toBeVisible()
  await letCodesPass(email)
  await page.getByLabel('验证码').fill(codeAt(secret))
  await submit(page)
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()

  await forgetSession(page)
  await givePassword(page, someone)
  await page.getByRole('button', { name: '手机不在身边？使用恢复码' }).click()
  await page.getByLabel('恢复码').fill(recoveryCode)
  await submit(page)
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
})

test('what is guarded asks for the second factor by itself, and then goes on', async ({ page }) => {
  await signIn(page, 'finance')
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await letProofPass(world().operators.finance.email)
  await page.goto(`${consoleUrl()}/second-factor`)
  const dialog = page.getByRole('dialog', { name: '请验证身份' })
  await dialog.getByLabel('验证码').fill('000000')
  await dialog.getByRole('button', { name: '验证' }).click()
  await expect(dialog.getByText('验证码不正确')).toBeVisible()
  await dialog.getByLabel('验证码').fill(await codeOf('finance'))
  await dialog.getByRole('button', { name: '验证' }).click()
  await expect(page.getByRole('img', { name: '两步验证的二维码' }).locator('svg')).toBeVisible()
  await expect(dialog).toBeHidden()
})

/** Shows the second factor to whatever has asked for it. */
async function prove(page: Page, name: OperatorName) {
  const dialog = page.getByRole('dialog', { name: '请验证身份' })
  await dialog.getByLabel('验证码').fill(await codeOf(name))
  await dialog.getByRole('button', { name: '验证' }).click()
  await expect(dialog).toBeHidden()
}

test('a refund that is sent after the proof has passed asks for a code, and then goes on, once', async ({
  finance,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  const { send } = await fillRefund(finance, out_trade_no)
  await letProofPass(world().operators.finance.email)
  await send.click()
  await expect(finance.getByRole('dialog', { name: '请验证身份' })).toBeVisible()
  expect(await refundsOf(out_trade_no)).toEqual([])
  await prove(finance, 'finance')
  await expect(finance).toHaveURL(/\/refunds\/R/)
  await expect(finance.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await refundsOf(out_trade_no)).toHaveLength(1)
})

test('the keys are shown after the proof has passed only once a code was given', async ({ operator }) => {
  await letProofPass(world().operators.owner.email)
  await operator.goto(`${consoleUrl()}/keys`)
  await expect(operator.getByRole('dialog', { name: '请验证身份' })).toBeVisible()
  await expect(operator.getByRole('table', { name: '平台密钥' })).toHaveCount(0)
  await prove(operator, 'owner')
  await expect(operator.getByRole('table', { name: '平台密钥' })).toBeVisible()
})

test('somebody who worked without a second factor proves nothing with a new one until an owner confirms it', async ({
  page,
  operator,
}) => {
  const email = `new-${randomUUID().slice(0, 8)}@meridian.test`
  const someone = await plantOperator({ email, role: 'viewer' })
  await givePassword(page, someone)
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await forgetSession(page)
  await givePassword(page, someone)
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()

  await letPasswordPass(email)
  await page.goto(`${consoleUrl()}/second-factor`)
  const question = page.getByRole('dialog', { name: '请输入密码' })
  await question.getByLabel('当前密码', { exact: true }).fill('not the password')
  await question.getByRole('button', { name: '验证' }).click()
  await expect(question.getByText('当前密码不正确。')).toBeVisible()
  await question.getByLabel('当前密码', { exact: true }).fill(someone.password)
  await question.getByRole('button', { name: '验证' }).click()
  await expect(question).toBeHidden()
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await page.getByLabel('验证码').fill(codeAt(secret))
  await page.getByRole('button', { name: '验证并启用' }).click()
  await page.getByRole('button', { name: '我已妥善保存' }).click()
  await page.goto(`${consoleUrl()}/account`)
  const notice = page.getByText('新设置的两步验证可以登录，但不能用于验证身份')
  await expect(notice).toContainText('可以请所有者提前确认')
  await page.getByRole('button', { name: '更换恢复码' }).click()
  await expect(page.getByText('两步验证设置未满 24 小时').first()).toBeAttached()

  await keepProven(world().operators.owner.email)
  await operator.goto(`${consoleUrl()}/staff/${await staffId(email)}`)
  await operator.getByRole('button', { name: '确认两步验证' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: '确认两步验证' }).click()
  await expect(operator.getByRole('button', { name: '确认两步验证' })).toHaveCount(0)

  await page.reload()
  await expect(notice).toHaveCount(0)
  await page.getByRole('button', { name: '更换恢复码' }).click()
  await expect(page.getByRole('list', { name: '恢复码' }).getByRole('listitem')).toHaveCount(10)
})
