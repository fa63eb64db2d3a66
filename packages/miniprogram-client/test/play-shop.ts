import type { PaymentChannel, Phone, SheetAnswer } from '../src/index.ts'
import { order, paymentParams, subscription, virtualParams } from './full-answers.ts'

/** What becomes of one request: it arrives, is lost on the way there, or its answer on the way back. */
export type Fate = 'arrives' | 'unsent' | 'unanswered'

/** What the user does with a sheet and what the sheet says then; null when the mini-program dies under it. */
export type Sheet = { pays: boolean; says: SheetAnswer | null }

export type ShopOrder = {
  outTradeNo: string
  user: number
  key: string
  planCode: string
  amountFen: number
  /** What the API knows. */
  status: 'created' | 'prepay' | 'paid' | 'closed'
  overdue: boolean
  /** What the platform knows. */
  charged: boolean
  closedThere: boolean
  /** Of virtual payment: the number signed last, when, and whether the platform has seen it. */
  signed: { number: string; atMs: number; isSeen: boolean } | null
}

type Answered = { status: number; body?: object }
type Asked = { path: string; method: string; key: string; body: Record<string, unknown> }

const refusal = (status: number, code: string, order?: ShopOrder): Answered => ({
  status,
  body: { code, title: code, ...(order && { out_trade_no: order.outTradeNo }) },
})
const shown = ({ outTradeNo, status, planCode, amountFen }: ShopOrder) =>
  order({
    out_trade_no: outTradeNo,
    status,
    plan: { code: planCode, name: planCode, duration_days: 30 },
    amount_fen: amountFen,
  })

/** The API and the payment platform, as far as buying goes, with a phone that can lose every request. */
export function playShop() {
  const prices: Record<string, number> = { monthly: 2900, yearly: 26_800 }
  const orders: ShopOrder[] = []
  const kept = new Map<string, string>()
  const calls: string[] = []
  const sheets: ShopOrder[] = []
  const loginCodes = new Set<string>()
  let numbers = 0
  let nowMs = 0
  const shop = {
    prices,
    orders,
    kept,
    calls,
    /** Every order whose sheet was opened, once for each time. */
    sheets,
    /** Whose sheet may still be paid, because it was not closed by the user. */
    leftOpen: null as ShopOrder | null,
    user: 1,
    /** By what the shop sells, and whether the phone can virtual payment. */
    channel: 'jsapi' as PaymentChannel,
    canVirtual: true,
    /** What the next sheets of virtual payment fail with before they open. */
    refusals: [] as number[],
    /** What was reported of failed sheets. */
    reported: [] as unknown[],
    platformUp: true,
    notified: true,
    fates: [] as Fate[],
    sheet: { pays: true, says: 'paid' } as Sheet,
    onCharge: (_order: ShopOrder): void => undefined,
    /** The user pays, where the platform still lets them. */
    charge(order: ShopOrder): boolean {
      if (order.charged || order.closedThere || order.overdue) return false
      order.charged = true
      shop.onCharge(order)
      if (shop.notified) order.status = 'paid'
      return true
    },
    /** Asks the platform about an order, and closes it there and here where that is wanted. */
    settle(order: ShopOrder, close = false): void {
      if (close && !order.charged) order.closedThere = true
      if (order.charged) order.status = 'paid'
      else if (order.closedThere) order.status = 'closed'
    },
    phone: (): Phone => phone(),
  }

  function purchase({ key, body }: Asked): Answered {
    const no = refused(body)
    if (no) return no
    const known = orders.find((order) => order.user === shop.user && order.key === key)
    const [planCode, amountFen] = [String(body['plan_code']), Number(body['expected_amount_fen'])]
    if (!known && prices[planCode] !== amountFen) return refusal(409, 'price_changed')
    const order = known ?? open({ key, planCode, amountFen })
    if (order.planCode !== planCode) return refusal(422, 'idempotency_key_reused')
    if (order.amountFen !== amountFen) return refusal(409, 'price_changed')
    if (order.status === 'paid') return refusal(409, 'order_already_paid', order)
    // Nobody asked the platform: an order whose time ran out may have been paid all the same.
    if (order.status === 'closed' || order.overdue) return refusal(409, 'order_closed', order)
    if (order.status === 'created' && !shop.platformUp) return refusal(502, 'payment_platform_error', order)
    order.status = 'prepay'
    const params =
      shop.channel === 'jsapi' ? paymentParams(order.outTradeNo) : virtualParams(numberFor(order))
    const answered = { ...shown(order), channel: shop.channel }
    return { status: known ? 200 : 201, body: { order: answered, payment_params: params } }
  }

  /** Why a purchase is refused before anything else: by its channels, or by a login code that is not fresh. */
  function refused(body: Record<string, unknown>): Answered | null {
    if (shop.channel === 'jsapi') return null
    const { channels, login_code: code } = body
    if (!Array.isArray(channels) || !channels.includes('virtual'))
      return refusal(409, 'channel_not_supported')
    if (typeof code !== 'string' || loginCodes.has(code)) return refusal(401, 'invalid_login_code')
    loginCodes.add(code)
    return null
  }

  /** The same number for ten seconds, as long as the platform has not seen it; then a new one. */
  function numberFor(order: ShopOrder): string {
    const { signed, outTradeNo } = order
    if (signed && !signed.isSeen && nowMs - signed.atMs < 10_000) return signed.number
    order.signed = { number: signed ? `${outTradeNo}-${numbers++}` : outTradeNo, atMs: nowMs, isSeen: false }
    return order.signed.number
  }

  function open({ key, planCode, amountFen }: Pick<ShopOrder, 'key' | 'planCode' | 'amountFen'>): ShopOrder {
    const fresh = {
      overdue: false,
      charged: false,
      closedThere: false,
      status: 'created' as const,
      signed: null,
    }
    const order = { outTradeNo: `M${orders.length + 1}`, user: shop.user, key, planCode, amountFen, ...fresh }
    orders.push(order)
    return order
  }

  function aboutOrder(order: ShopOrder, act: string | undefined): Answered {
    const unsettled = order.status !== 'paid' && !(act === 'cancel' && order.status === 'closed')
    if (act && unsettled && !shop.platformUp) return refusal(502, 'payment_platform_error', order)
    if (act && unsettled) shop.settle(order, act === 'cancel')
    if (act === 'cancel' && order.status === 'paid') return refusal(409, 'order_already_paid', order)
    return {
      status: 200,
      body: { order: shown(order), subscription: subscription({ is_active: order.charged }) },
    }
  }

  function erase(): Answered {
    const mine = orders.filter(({ user }) => user === shop.user)
    if (mine.some(({ status }) => status === 'created' || status === 'prepay'))
      return refusal(409, 'erasure_blocked')
    shop.user += 1
    return { status: 204 }
  }

  function answer(asked: Asked, token: string | null): Answered {
    const { path, method, body } = asked
    const tokens = { access_token: `a${shop.user}`, refresh_token: `r${shop.user}` }
    if (path === '/auth/login') return { status: 200, body: tokens }
    if (path === '/auth/logout') return { status: 204 }
    if (path === '/auth/refresh')
      return body['refresh_token'] === tokens.refresh_token
        ? { status: 200, body: tokens }
        : refusal(401, 'invalid_refresh_token')
    if (token !== `Bearer ${tokens.access_token}`) return refusal(401, 'unauthenticated')
    if (path === '/me' && method === 'DELETE') return erase()
    if (path === '/subscription') return { status: 200, body: subscription() }
    if (path === '/subscription/purchase') return purchase(asked)
    if (body['sheet_error']) shop.reported.push(body['sheet_error'])
    const [outTradeNo, act] = path.replace('/subscription/orders/', '').split('/')
    const order = orders.find((one) => one.user === shop.user && one.outTradeNo === outTradeNo)
    return order ? aboutOrder(order, act) : refusal(404, 'order_not_found')
  }

  /** The sheet of an order; never answers when the mini-program dies under it. */
  function showSheet(outTradeNo: string): Promise<SheetAnswer> {
    const order = orders.find((one) => one.outTradeNo === outTradeNo)
    if (!order) throw new Error(`a sheet for ${outTradeNo}, which nobody ordered`)
    sheets.push(order)
    const { pays, says } = shop.sheet
    const paid = pays && shop.charge(order)
    shop.leftOpen = says === 'cancelled' ? null : order
    if (says === null) return new Promise(() => undefined)
    return Promise.resolve(pays && !paid ? 'unclear' : says)
  }

  async function showVirtualSheet(signData: string): Promise<number> {
    const { outTradeNo: number }: { outTradeNo: string } = JSON.parse(signData)
    const order = orders.find(({ signed }) => signed?.number === number)
    if (!order?.signed || signData !== virtualParams(number).signData) return -15006
    if (order.signed.isSeen) return -15002
    const refusal = shop.refusals.shift()
    if (refusal !== undefined) return refusal
    order.signed.isSeen = true
    return { paid: 0, cancelled: -2, unclear: -1 }[await showSheet(order.outTradeNo)]
  }

  let codes = 0
  const phone = (): Phone => ({
    platform: 'other',
    loginCode: async () => `code-${codes++}`,
    wait: async (ms) => {
      nowMs += ms
    },
    requestPayment: (params) => showSheet(params.package),
    ...(shop.canVirtual && { requestVirtualPayment: (params) => showVirtualSheet(params.signData) }),
    storage: {
      read: (key) => kept.get(key) ?? null,
      write: (key, value) => void (value === null ? kept.delete(key) : kept.set(key, value)),
    },
    request: async ({ url, method, headers, body }) => {
      const fate = shop.fates.shift() ?? 'arrives'
      const path = new URL(url).pathname.replace('/api/v1', '')
      calls.push(`${method} ${path}`)
      if (fate === 'unsent') throw new Error('lost on the way there')
      const asked = { path, method, key: headers['idempotency-key'] ?? '', body: JSON.parse(body ?? '{}') }
      const answered = answer(asked, headers['authorization'] ?? null)
      if (fate === 'unanswered') throw new Error('lost on the way back')
      return { headers: {}, body: '', ...answered }
    },
  })

  return shop
}

export type Shop = ReturnType<typeof playShop>
