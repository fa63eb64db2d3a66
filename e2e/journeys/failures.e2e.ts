import { expect, test } from '../support/journey.ts'
import { fact } from '../support/operator.ts'
import { world } from '../support/world.ts'

const requestId = '0000feed-0000-4000-8000-0000000000aa'
const problem = { code: 'internal_error', title: '服务暂时不可用', requestId }
const failed = {
  message: problem.title,
  code: -32_603,
  data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, problem },
}

test('a panel of the overview that fails says so and heals by a press, and the others go on', async ({
  operator,
  phone,
}) => {
  await phone.buysAndPays('monthly')
  const health = '**/api/trpc/dashboard.health?*'
  await operator.route(health, (route) => route.fulfill({ status: 500, json: { error: { json: failed } } }))
  await operator.goto(world().consoleUrl)
  const panel = operator.getByRole('region', { name: '需要关注' })
  const alert = panel.getByRole('alert')
  await expect(alert).toContainText(problem.title)
  await expect(alert).toContainText(requestId)
  await expect(fact(operator, '今天净收入')).toContainText('¥')
  await expect(operator.getByRole('region', { name: '按状态' }).getByRole('listitem')).not.toHaveCount(0)
  await expect(fact(operator, '有效订阅')).toContainText(/[1-9]/)

  await operator.unroute(health)
  await alert.getByRole('button', { name: '重试' }).click()
  await expect(fact(operator, '暂停处理的订单')).toHaveText(/^\d+$/)
  await expect(alert).toHaveCount(0)
})

test('without a network the console says so, until there is one again', async ({ operator }) => {
  await operator.goto(world().consoleUrl)
  await expect(fact(operator, '今天净收入')).toBeVisible()
  const banner = operator.getByRole('status').filter({ hasText: '没有网络连接' })
  await expect(banner).toHaveCount(0)
  await operator.context().setOffline(true)
  await expect(banner).toBeVisible()
  await operator.context().setOffline(false)
  await expect(banner).toHaveCount(0)
})

test('the sandbox takes its switches from its own page and from programs only', async ({ request }) => {
  const { sandboxUrl } = world()
  const ask = async (headers: Record<string, string>) =>
    (await request.get(`${sandboxUrl}/sandbox/weather`, { headers })).status()
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    expect(await ask(headers)).toBe(403)
  expect(await ask({ origin: sandboxUrl, 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await ask({})).toBe(200)
  expect((await request.get(sandboxUrl, { headers: { 'sec-fetch-site': 'cross-site' } })).ok()).toBe(true)
})
