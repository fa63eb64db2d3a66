import type { Page } from '@playwright/test'
import { auditCount } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { fact } from '../support/operator.ts'
import { openReceiver, type Received, verified } from '../support/webhook-receiver.ts'
import { world } from '../support/world.ts'

let receiver: Awaited<ReturnType<typeof openReceiver>>
test.beforeEach(async () => {
  receiver = await openReceiver()
})
test.afterEach(() => receiver.close())

/** Waits until so many messages of a type have come, and answers the last. */
async function waitFor(type: string, times: number): Promise<Received> {
  await expect.poll(() => receiver.of(type).length).toBeGreaterThanOrEqual(times)
  const last = receiver.of(type)[times - 1]
  if (!last) throw new Error(`no ${type}`)
  return last
}

/** Copies the secret that is shown once, and closes the dialog. */
async function copySecret(page: Page): Promise<string> {
  const shown = page.getByRole('dialog', { name: '请立即复制签名密钥' })
  await shown.getByRole('button', { name: /^复制/ }).click()
  const secret = await page.evaluate(() => navigator.clipboard.readText())
  await expect(shown).toContainText(secret)
  await shown.getByRole('button', { name: '已保存' }).click()
  await expect(shown).toBeHidden()
  return secret
}

/** Adds an endpoint at the receiver and opens its page; answers its secret. */
async function addsEndpoint(page: Page, types: readonly string[] = []): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${world().consoleUrl}/developers`)
  await page.getByRole('link', { name: 'Webhook 地址' }).click()
  await page.getByRole('button', { name: '添加地址' }).click()
  const form = page.getByRole('dialog', { name: '添加地址' })
  await form.getByLabel('系统').fill('数据仓库')
  await form.getByLabel('地址', { exact: true }).fill(receiver.url)
  for (const type of types) await form.getByLabel(type, { exact: true }).check()
  await form.getByRole('button', { name: '添加地址' }).click()
  const secret = await copySecret(page)
  await page.getByRole('row').filter({ hasText: '数据仓库' }).getByRole('link').first().click()
  await page.waitForURL(/\/developers\/webhooks\/.+/)
  return secret
}

const endpointIdAt = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''
const deliveryOf = (page: Page, type: string) => page.getByRole('row').filter({ hasText: type }).first()

/** A delivery arrives with what was paid, and its page shows the very bytes that came. */
async function seesPayment(page: Page, { outTradeNo, secret }: { outTradeNo: string; secret: string }) {
  const paid = await waitFor('order.paid', 1)
  expect(verified(paid, secret)).toMatchObject({
    data: { seq: 1, order: { out_trade_no: outTradeNo, status: 'paid', amount_fen: 2900 } },
  })
  expect(() => verified({ ...paid, body: paid.body.replace('2900', '1') }, secret)).toThrow()
  const changed = await waitFor('subscription.changed', 1)
  const data = { days: 30, cause: 'purchase', out_trade_no: outTradeNo }
  expect(verified(changed, secret)).toMatchObject({ data })

  const row = deliveryOf(page, '订单已支付')
  await expect(row).toContainText('已投递')
  await row.getByRole('link').first().click()
  await page.waitForURL(/\/developers\/deliveries\//)
  await expect(page.getByRole('region', { name: '请求正文' })).toContainText(paid.body)
  const headers = page.getByRole('region', { name: /^请求头/ })
  await expect(headers).toContainText(`webhook-id: ${paid.id}`)
  await expect(headers).toContainText(`webhook-signature: ${paid.headers['webhook-signature']}`)
  await page.getByRole('link', { name: '返回 Webhook 地址' }).click()
  await page.waitForURL(/\/developers\/webhooks\/.+/)
}

/** Rotates the secret: what comes then is signed by the old one and the new one. */
async function rotates(page: Page, before: string) {
  await page.getByRole('button', { name: '更换密钥' }).click()
  const question = page.getByRole('dialog', { name: '更换“数据仓库”的签名密钥？' })
  await question.getByRole('button', { name: '更换密钥' }).click()
  const after = await copySecret(page)
  expect(after).not.toBe(before)
  await page.getByRole('button', { name: '发送测试' }).click()
  const both = await waitFor('webhook.test', 2)
  for (const secret of [before, after]) expect(verified(both, secret)).toMatchObject({ type: 'webhook.test' })
}

/** Switches the endpoint off, when no test can be sent, and on again. */
async function switchesOffAndOn(page: Page) {
  await page.getByRole('button', { name: '停用', exact: true }).click()
  const question = page.getByRole('dialog', { name: '停用“数据仓库”的 Webhook 地址？' })
  await question.getByRole('button', { name: '停用' }).click()
  await expect(page.getByRole('main')).toContainText('已停用')
  const trial = page.getByRole('button', { name: '发送测试' })
  await expect(trial).toHaveAccessibleDescription('地址已停用，不能发送测试')
  await page.getByRole('button', { name: '启用', exact: true }).click()
  await expect(trial).toHaveAttribute('aria-disabled', 'false')
  await trial.click()
  await waitFor('webhook.test', 3)
}

async function removes(page: Page) {
  await page.getByRole('button', { name: '删除' }).click()
  const question = page.getByRole('dialog', { name: '删除“数据仓库”的 Webhook 地址？' })
  await question.getByRole('button', { name: '删除' }).click()
  await page.waitForURL(/\/developers\/webhooks$/)
  await expect(page.getByRole('main')).toContainText('还没有 Webhook 地址')
}

test.describe('of a shop whose worker sends', () => {
  test.beforeEach(({ quietShop: _ }) => {})

  test('an owner adds an endpoint, where a test and a payment arrive signed, and looks after it to its end', async ({
    operator,
    phone,
  }) => {
    const secret = await addsEndpoint(operator)
    expect(secret).toMatch(/^whsec_/)
    const id = endpointIdAt(operator)
    await expect(operator.getByRole('main')).toContainText('还没有投递')
    await operator.getByRole('button', { name: '发送测试' }).click()
    expect(verified(await waitFor('webhook.test', 1), secret)).toMatchObject({ type: 'webhook.test' })
    await expect(deliveryOf(operator, '测试消息')).toContainText('已投递')

    const { out_trade_no } = await phone.buysAndPays('monthly')
    await seesPayment(operator, { outTradeNo: out_trade_no, secret })
    await rotates(operator, secret)
    await switchesOffAndOn(operator)
    await removes(operator)
    const acts = ['create', 'rotate', 'disable', 'enable', 'remove'].map((act) =>
      auditCount(`webhook.${act}`, id),
    )
    expect(await Promise.all(acts)).toEqual([1, 1, 1, 1, 1])
  })

  test('what a receiver fails to take comes again by itself, and once more when an operator sends it', async ({
    operator,
    phone,
  }) => {
    const secret = await addsEndpoint(operator, ['订单已支付'])
    receiver.fails(1)
    await phone.buysAndPays('monthly')
    const first = await waitFor('order.paid', 1)
    const second = await waitFor('order.paid', 2)
    expect([second.id, second.body]).toEqual([first.id, first.body])

    await deliveryOf(operator, '订单已支付').getByRole('link').first().click()
    await operator.waitForURL(/\/developers\/deliveries\//)
    await expect(fact(operator, '尝试')).toHaveText('2 / 10')
    // Now and at its second attempt: the third comes five minutes later, and nothing changes meanwhile.
    receiver.fails(2)
    await operator.getByRole('button', { name: '重新投递' }).click()
    await waitFor('order.paid', 4)
    await expect(operator.getByRole('region', { name: /^返回内容/ })).toContainText('no room today')
    await expect(fact(operator, '返回状态')).toHaveText('503')

    await operator.getByRole('button', { name: '重新投递' }).click()
    const last = await waitFor('order.paid', 5)
    expect([last.id, last.body]).toEqual([first.id, first.body])
    expect(verified(last, secret)).toMatchObject({ type: 'order.paid' })
    await expect(fact(operator, '返回状态')).toHaveText('204')
    // Of what it did not ask for, nothing comes.
    expect(receiver.of('subscription.changed')).toEqual([])
  })
})

test('an address that may not be called is refused where it is typed, and why', async ({ operator }) => {
  await operator.goto(`${world().consoleUrl}/developers/webhooks`)
  await operator.getByRole('button', { name: '添加地址' }).click()
  const form = operator.getByRole('dialog', { name: '添加地址' })
  await form.getByLabel('系统').fill('内网系统')
  const refusals = [
    ['http://10.0.0.1/hook', '必须是公网地址'],
    ['https://user:key@example.com/hook', '不能带用户名或密码'],
    ['https://169.254.169.254/latest', '必须是公网地址'],
    ['ftp://example.com/hook', '必须是 https 地址'],
  ] as const
  for (const [url, refusal] of refusals) {
    await form.getByLabel('地址', { exact: true }).fill(url)
    await form.getByRole('button', { name: '添加地址' }).click()
    await expect(form.getByRole('alert')).toContainText(refusal)
  }
})
