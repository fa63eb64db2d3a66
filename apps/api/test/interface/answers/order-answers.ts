import type { Phone } from '../../world/phone.ts'
import { plantOrders } from '../../world/plant-orders.ts'
import type { TestWorld } from '../../world/test-world.ts'
import { plantUser, type Scene, type Scenes, whileFaults, whileSetting } from './stage.ts'

const sale = (allowed: boolean) => ({ allowed, message: null })

/** While every platform sells by virtual payment. */
async function soldVirtually<Answer>(world: TestWorld, ask: () => Promise<Answer>): Promise<Answer> {
  await world.query(`UPDATE plans SET virtual_product_id = code WHERE code = 'monthly'`)
  const rule = { channel: 'virtual', message: null }
  return whileSetting(world, ['sale_policy', { ios: rule, android: rule, other: rule }], ask)
}

const act = (phone: Phone, outTradeNo: string, what: string) =>
  phone.call(`/subscription/orders/${outTradeNo}/${what}`, { method: 'POST' })
const buysNumber = async (phone: Phone) => (await phone.buys()).order.out_trade_no

const refusedBy = (rule: { at: 'prepay' | 'query'; kind: 'error_before' | 'delay' }, scene: Scene): Scene => {
  const rules = [{ status: 403, ms: 20_000, ...rule }] as const
  return (stage) => whileFaults(stage.world, [...rules], () => scene(stage))
}

const buysAgain = (before: (phone: Phone) => Promise<unknown>, plan = 'monthly'): Scene => {
  return async ({ phone }) => {
    await before(phone)
    return phone.purchaseAnswer(plan, 'key')
  }
}

const buysAndPays = async (phone: Phone) => phone.pays(await phone.buys('monthly', 'key'))
const buysAndCancels = async (phone: Phone) =>
  act(phone, (await phone.buys('monthly', 'key')).order.out_trade_no, 'cancel')

/** What sync and cancel have in common: they look at an order, and ask the platform about it. */
const ofOrder = (what: 'sync' | 'cancel') => ({
  '200': async ({ phone }: { phone: Phone }) => act(phone, await buysNumber(phone), what),
  order_not_found: async ({ phone }: { phone: Phone }) => act(phone, `M${'0'.repeat(26)}`, what),
  payment_platform_error: refusedBy({ at: 'query', kind: 'error_before' }, async ({ world, phone }) => {
    const [number = ''] = await plantOrders(world, { count: 1, openid: phone.openid })
    return act(phone, number, what)
  }),
  payment_platform_timeout: refusedBy({ at: 'query', kind: 'delay' }, async ({ world, phone }) => {
    const [number = ''] = await plantOrders(world, { count: 1, openid: phone.openid })
    return act(phone, number, what)
  }),
  payment_not_configured: (async ({ bare }) => {
    const phone = await plantUser(bare)
    const [number = ''] = await plantOrders(bare, { count: 1, openid: phone.openid })
    return act(phone, number, what)
  }) satisfies Scene,
})

export const orderAnswers: Scenes = {
  'POST /subscription/purchase': {
    '201': ({ phone }) => phone.purchaseAnswer('monthly'),
    '200': buysAgain((phone) => phone.buys('monthly', 'key')),
    sale_not_allowed: ({ world, phone }) =>
      whileSetting(world, ['sale_policy', { ios: sale(true), android: sale(true), other: sale(false) }], () =>
        phone.purchaseAnswer('monthly'),
      ),
    plan_not_found: ({ phone }) => phone.purchaseAnswer('no-such-plan'),
    channel_not_supported: ({ world, phone }) => soldVirtually(world, () => phone.purchaseAnswer('monthly')),
    invalid_login_code: ({ world, phone }) =>
      soldVirtually(world, () => phone.virtualAnswer({ system: 'ios', loginCode: 'no-such-code' })),
    price_changed: ({ phone }) => phone.purchaseAnswer('monthly', 'key', { expected_amount_fen: 1 }),
    order_already_paid: buysAgain(buysAndPays),
    order_closed: buysAgain(buysAndCancels),
    idempotency_in_progress: async ({ world, phone }) => {
      await plantOrders(world, { count: 1, openid: phone.openid, keyInFlight: 'key' })
      return phone.purchaseAnswer('monthly', 'key')
    },
    idempotency_key_reused: buysAgain((phone) => phone.buys('monthly', 'key'), 'yearly'),
    payment_platform_error: refusedBy({ at: 'prepay', kind: 'error_before' }, ({ phone }) =>
      phone.purchaseAnswer('monthly', 'key'),
    ),
    payment_platform_timeout: refusedBy({ at: 'prepay', kind: 'delay' }, ({ phone }) =>
      phone.purchaseAnswer('monthly', 'key'),
    ),
    payment_not_configured: async ({ bare }) => (await plantUser(bare)).purchaseAnswer('monthly'),
  },
  'GET /subscription/orders/{out_trade_no}': {
    '200': async ({ phone }) => phone.call(`/subscription/orders/${await buysNumber(phone)}`),
    order_not_found: ({ phone }) => phone.call('/subscription/orders/none'),
  },
  'POST /subscription/orders/{out_trade_no}/sync': ofOrder('sync'),
  'POST /subscription/orders/{out_trade_no}/cancel': {
    ...ofOrder('cancel'),
    order_already_paid: async ({ phone }) => {
      const purchase = await phone.buys()
      await phone.pays(purchase)
      return act(phone, purchase.order.out_trade_no, 'cancel')
    },
  },
}
