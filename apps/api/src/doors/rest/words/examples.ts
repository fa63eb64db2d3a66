/** What the examples of the document are made of: one person, one plan, one device. */
export const importId = '019aa0c4-5d1e-7c3a-9b7e-2f1d4c8a6e10'
export const eventId = 'evt_01K9XW3V6Q2Z8N4T7R5Y1B0CDE'
export const userId = '0199f1a2-7b3c-7d4e-8f50-123456789abc'
export const outTradeNo = 'M01K9XW3V6Q2Z8N4T7R5Y1B0CDE'

const plan = { code: 'monthly', name: '月度会员' }

export const order = {
  out_trade_no: outTradeNo,
  status: 'prepay',
  channel: 'jsapi',
  plan: { ...plan, duration_days: 30 },
  amount_fen: 2900,
  refunded_fen: 0,
  currency: 'CNY',
  created_at: '2026-11-20T08:00:00.000Z',
  expires_at: '2026-11-20T08:30:00.000Z',
  paid_at: null,
  closed_at: null,
  imported: false,
}
export const paidOrder = { ...order, status: 'paid', paid_at: '2026-11-20T08:00:21.000Z' }
export const closedOrder = { ...order, status: 'closed', closed_at: '2026-11-20T08:05:00.000Z' }

export const subscription = {
  status: 'active',
  is_active: true,
  remaining_days: 30,
  expires_at: '2026-12-20T08:00:21.000Z',
  plan,
  features: ['report_detail', 'manual_treatment'],
}

export const planOnSale = {
  ...plan,
  description: '30 天全部功能',
  duration_days: 30,
  price_fen: 2900,
  list_price_fen: 3900,
  currency: 'CNY',
  features: ['report_detail', 'manual_treatment'],
  badge: '限时',
}

export const tokens = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5ZjFhMiJ9.c2lnbmF0dXJl',
  refresh_token: 'hZ2m8Qx4Vt6Ry1Kp9Ls3Wd7Nf5Bj0Gc',
  token_type: 'Bearer',
  expires_in: 7200,
}

export const me = {
  id: userId,
  nickname: '小林',
  avatar_url: 'https://thirdwx.qlogo.cn/mmopen/vi_32/avatar/132',
  created_at: '2026-10-01T02:30:00.000Z',
}

export const permissions = {
  items: [{ template: 'expiry_reminder', template_id: 'k3QyT8uV5wXz2A7bC9dE', remaining: 2 }],
}

export const device = {
  serial_number: 'MW1-0042-7781',
  model: 'Wave One',
  mac_address: 'A4:C1:38:00:12:EF',
  firmware_version: '1.4.2',
  nickname: '客厅',
  bound_at: '2026-11-18T12:04:05.000Z',
}

export const reportRequest = {
  client_report_id: 'scan-20261120-0001',
  kind: 'scan',
  serial_number: 'MW1-0042-7781',
  started_at: '2026-11-20T07:40:00Z',
  ended_at: '2026-11-20T07:52:30Z',
  score: 82,
  summary: { left_shoulder: 'tense' },
  measurements: [{ at_ms: 0, channel: 1, microvolt: 14.2 }],
}

export const reportHead = {
  id: '0199f1b0-1c2d-7e3f-9a4b-56789abcdef0',
  client_report_id: reportRequest.client_report_id,
  kind: 'scan',
  serial_number: reportRequest.serial_number,
  started_at: '2026-11-20T07:40:00.000Z',
  ended_at: '2026-11-20T07:52:30.000Z',
  score: 82,
  summary: reportRequest.summary,
  locked: false,
  created_at: '2026-11-20T07:52:31.000Z',
}
export const report = { ...reportHead, measurements: reportRequest.measurements }

export const diagnosisConfig = {
  version: 12,
  published_at: '2026-11-01T00:00:00.000Z',
  body_parts: [{ code: 'shoulder', name: '肩部' }],
  programs: [
    {
      code: 'relax',
      name: '放松',
      body_part: 'shoulder',
      contraindications: ['心脏起搏器'],
      premium: false,
      waveform: 'square',
      frequency_hz: 80,
      pulse_width_us: 200,
      intensity_min: 1,
      intensity_max: 20,
      intensity_default: 6,
      duration_minutes: 15,
      locked: false,
    },
  ],
}

/** An account that has just begun: a list that is empty says its shape all the same. */
export const accountExport = {
  exported_at: '2026-11-20T09:00:00.000Z',
  profile: { ...me, openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
  subscription: {
    expires_at: subscription.expires_at,
    feature_expires_at: { report_detail: subscription.expires_at },
  },
  grants: [],
  orders: [],
  refunds: [],
  devices: [],
  reports: [],
  notes: [],
  tags: [],
  imports: [],
  message_permissions: [],
  reminders: [],
  sessions: [],
}
