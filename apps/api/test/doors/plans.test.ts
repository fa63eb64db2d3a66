import { beforeEach, expect, test } from 'vitest'
import { call } from '../world/phone.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'

// Plans are shown whether or not anything can be bought.
const world = useTestWorld({ payments: 'off' })

const plans = (headers: Record<string, string> = {}) =>
  call(`${world.url}/api/v1/subscription/plans`, { headers })

const everywhere = { allowed: true, message: null }
const setSalePolicy = (policy: object) => setSetting(world, 'sale_policy', policy)

beforeEach(() => setSalePolicy({ ios: everywhere, android: everywhere, other: everywhere }))

const features = ['report_detail', 'manual_treatment']
const defaults = [
  { code: 'monthly', name: '月度会员', duration_days: 30, price_fen: 2900, badge: null },
  { code: 'quarterly', name: '季度会员', duration_days: 90, price_fen: 7900, badge: '热门' },
  { code: 'yearly', name: '年度会员', duration_days: 365, price_fen: 26800, badge: '最划算' },
].map((plan) => ({
  ...plan,
  description: `${plan.duration_days} 天全部功能`,
  list_price_fen: null,
  currency: 'CNY',
  features,
}))

test('anybody may read the plans on sale, in the order of the shop and in exactly this shape', async () => {
  const answer = await plans()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(answer.body).toEqual({ plans: defaults, sale: { allowed: true, channel: 'jsapi', message: null } })
})

test('a token, a wrong one too, makes no difference', async () => {
  expect(await plans({ authorization: 'Bearer nonsense' })).toMatchObject({ status: 200 })
})

test('the answer may be kept for a minute, for each client platform and language apart', async () => {
  const { headers } = await plans()
  expect(headers.get('cache-control')).toBe('public, max-age=60')
  expect(headers.get('vary')).toBe('X-Client-Platform, Accept-Language')
  expect(headers.get('etag')).toMatch(/^"[\w-]{27}"$/)
})

test.each([
  ['the tag', (etag: string) => etag],
  ['the tag as a proxy weakens it', (etag: string) => `W/${etag}`],
  ['the tag among others', (etag: string) => `"one", ${etag} , "two"`],
  ['any tag', () => '*'],
])('a client that names %s has the answer already', async (_what, ifNoneMatch) => {
  const etag = (await plans()).headers.get('etag') ?? ''
  const answer = await plans({ 'if-none-match': ifNoneMatch(etag) })
  expect(answer).toMatchObject({ status: 304, body: '' })
  expect(answer.headers.get('etag')).toBe(etag)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60')
  expect(answer.headers.get('vary')).toBe('X-Client-Platform, Accept-Language')
})

test('a new price is a new answer at once, and the old tag is worth nothing', async () => {
  const etag = (await plans()).headers.get('etag') ?? ''
  await world.query(`UPDATE plans SET price_fen = 2800, list_price_fen = 3500 WHERE code = 'monthly'`)
  const answer = await plans({ 'if-none-match': etag })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).not.toBe(etag)
  expect(answer.body).toMatchObject({
    plans: [{ code: 'monthly', price_fen: 2800, list_price_fen: 3500 }, {}, {}],
  })
  await world.query(`UPDATE plans SET price_fen = 2900, list_price_fen = NULL WHERE code = 'monthly'`)
})

test('a plan off sale is not shown', async () => {
  await world.query(`UPDATE plans SET on_sale = false WHERE code = 'quarterly'`)
  expect((await plans()).body).toMatchObject({ plans: [{ code: 'monthly' }, { code: 'yearly' }] })
  await world.query(`UPDATE plans SET on_sale = true WHERE code = 'quarterly'`)
})

test.each([
  ['ios', { 'x-client-platform': 'ios' }, { allowed: false, message: 'iOS 暂不支持购买' }],
  ['android', { 'x-client-platform': 'android' }, everywhere],
  ['no platform', {}, { allowed: false, message: 'elsewhere not' }],
  ['an unknown platform', { 'x-client-platform': 'harmony' }, { allowed: false, message: 'elsewhere not' }],
  ['an empty platform', { 'x-client-platform': '' }, { allowed: false, message: 'elsewhere not' }],
  ['the platform other', { 'x-client-platform': 'other' }, { allowed: false, message: 'elsewhere not' }],
  [
    'a name that every object has',
    { 'x-client-platform': 'constructor' },
    { allowed: false, message: 'elsewhere not' },
  ],
])('the sale policy of %s is answered as the setting says it', async (_what, headers, sale) => {
  await setSalePolicy({
    ios: { allowed: false, message: 'iOS 暂不支持购买' },
    android: everywhere,
    other: { allowed: false, message: 'elsewhere not' },
  })
  const answer = await plans(headers)
  const channel = sale.allowed ? 'jsapi' : null
  expect(answer.body).toEqual({ plans: defaults, sale: { ...sale, channel } })
})

test('the tag covers the sale policy too', async () => {
  const etag = (await plans({ 'x-client-platform': 'ios' })).headers.get('etag') ?? ''
  await setSalePolicy({ ios: { allowed: false, message: null }, android: everywhere, other: everywhere })
  expect((await plans({ 'x-client-platform': 'ios', 'if-none-match': etag })).status).toBe(200)
  expect((await plans({ 'x-client-platform': 'android', 'if-none-match': etag })).status).toBe(304)
})

test('names, descriptions and badges are in English where English is asked for, in Chinese where that is all there is', async () => {
  await world.query(
    `UPDATE plans SET name_en = NULL, description_en = NULL, badge_en = NULL WHERE code = 'yearly'`,
  )
  const english = await plans({ 'accept-language': 'en-GB,en;q=0.9,zh;q=0.5' })
  expect(english.body).toMatchObject({
    plans: [
      { name: 'Monthly plan', description: 'All features for 30 days', badge: null },
      { name: 'Quarterly plan', description: 'All features for 90 days', badge: 'Popular' },
      { name: '年度会员', description: '365 天全部功能', badge: '最划算' },
    ],
  })
  const chinese = await plans({ 'accept-language': 'zh-CN,en;q=0.5' })
  expect(chinese.body).toMatchObject({ plans: defaults })
  expect(chinese.headers.get('etag')).not.toBe(english.headers.get('etag'))
})

test('every plan has exactly the fields of the contract in either language', async () => {
  const fieldsOf = async (language: string) =>
    Object(await plans({ 'accept-language': language })).body.plans.map(Object.keys)
  expect(await fieldsOf('en')).toEqual(await fieldsOf('zh-CN'))
  expect(await fieldsOf('en')).toEqual(defaults.map((plan) => expect.arrayContaining(Object.keys(plan))))
})
