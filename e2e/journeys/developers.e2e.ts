import type { Page } from '@playwright/test'
import { askOne, auditCount } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { buyerOf } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

const keys = () => `${world().consoleUrl}/developers?limit=100`
const nameOf = (what: string) => `${what} ${Date.now().toString(36)}`

/** How the API answers another system. */
async function asks(key: string, path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${world().apiUrl}/api/v1/integration${path}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-language': 'en' },
  })
  return { status: response.status, body: await response.json() }
}

/** Creates a key with one kind of access, copies it and closes the dialog. */
async function creates(page: Page, { name, access }: { name: string; access: string }): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(keys())
  await page.getByRole('button', { name: '新建 API 密钥' }).click()
  const form = page.getByRole('dialog', { name: '新建 API 密钥' })
  const create = form.getByRole('button', { name: '新建 API 密钥' })
  await form.getByLabel('系统').fill(name)
  await expect(create).toHaveAccessibleDescription('请填写系统名称，并至少选择一项权限')
  await form.getByLabel(access, { exact: true }).check()
  await create.click()
  const shown = page.getByRole('dialog', { name: '请立即复制 API 密钥' })
  await shown.getByRole('button', { name: /^复制/ }).click()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  await expect(shown).toContainText(key)
  await shown.getByRole('button', { name: '已保存' }).click()
  await expect(shown).toBeHidden()
  return key
}

test('an owner creates a key for another system, which asks with it until it is revoked', async ({
  operator,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  const { userId } = await buyerOf(out_trade_no)
  const name = nameOf('CRM')
  const key = await creates(operator, { name, access: '查询订阅' })
  expect(key).toMatch(/^mk_[0-9A-Za-z]{43}$/)

  const about = `/entitlements?user_id=${userId}`
  expect(await asks(key, about)).toMatchObject({
    status: 200,
    body: { user_id: userId, is_active: true, reason: 'active_until' },
  })
  // What the key is not for, and what is none of another system's.
  expect(await asks(key, `/orders/${out_trade_no}`)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })

  await operator.goto(keys())
  const row = operator.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(`${key.slice(0, 9)}…`)
  await expect(row).toContainText('使用中')
  await expect(operator.getByRole('main')).not.toContainText(key)

  await row.hover()
  await row.getByRole('button', { name: '停用' }).click()
  const question = operator.getByRole('dialog', { name: `停用“${name}”的 API 密钥？` })
  await question.getByRole('button', { name: '停用' }).click()
  await expect(row).toHaveCount(0)
  await expect.poll(async () => (await asks(key, about)).status, { timeout: 10_000 }).toBe(401)

  await operator.getByRole('link', { name: '已过期或已停用' }).click()
  await expect(row).toContainText('已停用')
  const { id } = await askOne<{ id: string }>('SELECT id::text FROM api_keys WHERE name = $1', name)
  expect([await auditCount('api_key.create', id), await auditCount('api_key.revoke', id)]).toEqual([1, 1])
})

test('a key that nobody created opens nothing', async () => {
  const invented = `mk_${'A'.repeat(43)}`
  expect(await asks(invented, '/orders')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
})
