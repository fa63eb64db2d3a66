import type { Device, Order, Report, Subscription } from '../src/index.ts'

/** What the API answers, whole: a client refuses what is not. */
export const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  status: 'active',
  is_active: true,
  remaining_days: 30,
  expires_at: '2026-12-20T08:00:00Z',
  plan: { code: 'monthly', name: '月度会员' },
  features: ['report_detail'],
  ...changes,
})

export const order = (changes: Partial<Order> = {}): Order => ({
  out_trade_no: 'M1',
  status: 'prepay',
  channel: 'jsapi',
  plan: { code: 'monthly', name: '月度会员', duration_days: 30 },
  amount_fen: 2900,
  refunded_fen: 0,
  currency: 'CNY',
  created_at: '2026-11-20T08:00:00Z',
  expires_at: '2026-11-20T08:30:00Z',
  paid_at: null,
  closed_at: null,
  imported: false,
  ...changes,
})

export const paymentParams = (prepayId = '1') => ({
  timeStamp: '1',
  nonceStr: 'n',
  package: prepayId,
  signType: 'RSA' as const,
  paySign: 's',
})

export const virtualParams = (number = 'M1') => ({
  mode: 'short_series_goods' as const,
  // Not as JSON.stringify would write it: whoever parses and rewrites it hands over another text.
  signData: `{"offerId":"123", "buyQuantity":1,"outTradeNo":"${number}","attach":"\\u4f1a"}`,
  paySig: 'p',
  signature: 's',
})

export const device = (changes: Partial<Device> = {}): Device => ({
  serial_number: 'A',
  model: null,
  mac_address: null,
  firmware_version: null,
  nickname: null,
  bound_at: '2026-11-20T08:00:00Z',
  ...changes,
})

export const report = (changes: Partial<Report> = {}): Report => ({
  id: 'c0ffee00-0000-4000-8000-000000000000',
  client_report_id: 'r1',
  kind: 'scan',
  serial_number: null,
  started_at: '2026-11-20T08:00:00Z',
  ended_at: '2026-11-20T08:05:00Z',
  score: null,
  summary: {},
  locked: false,
  created_at: '2026-11-20T08:05:01Z',
  ...changes,
})
