import {
  anyOf,
  anything,
  type Check,
  type Checked,
  flag,
  isRecord,
  listOf,
  number,
  oneOf,
  orNull,
  shape,
  text,
} from './check.ts'

// What the API answers, member by member: a test compares the types with those of the API.

/** One page of a list: hand `next_cursor` back as `cursor` for the next one; null at the end. */
export type Page<Item> = { items: Item[]; next_cursor: string | null }

export const pageOf = <Item>(item: Check<Item>): Check<Page<Item>> =>
  shape({ items: listOf(item), next_cursor: orNull(text) })

const isPlan = shape({
  code: text,
  name: text,
  description: text,
  duration_days: number,
  price_fen: number,
  list_price_fen: orNull(number),
  currency: oneOf('CNY'),
  features: listOf(text),
  badge: orNull(text),
})
/** A plan that is sold: prices are integers of fen, its length is in days. */
export type Plan = Checked<typeof isPlan>

const isChannel = oneOf('jsapi', 'virtual')
/** By what a plan is paid: `virtual` is WeChat's virtual payment, on an iPhone through Apple. */
export type PaymentChannel = Checked<typeof isChannel>

export const isPlanList = shape({
  plans: listOf(isPlan),
  sale: shape({ allowed: flag, channel: orNull(isChannel), message: orNull(text) }),
})
export type PlanList = Checked<typeof isPlanList>

export const isSubscription = shape({
  status: oneOf('active', 'inactive'),
  is_active: flag,
  remaining_days: number,
  expires_at: orNull(text),
  plan: orNull(shape({ code: text, name: text })),
  features: listOf(text),
})
/** What the user has access to now, and until when (`expires_at`, ISO 8601); days are whole ones that remain. */
export type Subscription = Checked<typeof isSubscription>

export const isOrder = shape({
  out_trade_no: text,
  status: oneOf('created', 'prepay', 'paid', 'closed', 'refunded'),
  channel: isChannel,
  plan: shape({ code: text, name: text, duration_days: number }),
  amount_fen: number,
  refunded_fen: number,
  currency: oneOf('CNY'),
  created_at: text,
  expires_at: text,
  paid_at: orNull(text),
  closed_at: orNull(text),
  imported: flag,
})
/** One order: amounts are integers of fen, instants ISO 8601. Nothing but `paid` means that money moved. */
export type Order = Checked<typeof isOrder>

const isJsapiParams = shape({
  timeStamp: text,
  nonceStr: text,
  package: text,
  signType: oneOf('RSA'),
  paySign: text,
})
/** What `wx.requestPayment` takes, as the API signed it. */
export type JsapiPaymentParams = Checked<typeof isJsapiParams>

export const isVirtualParams = shape({
  mode: oneOf('short_series_goods'),
  /** The very text that was signed: whoever parses it and writes it anew breaks its signatures. */
  signData: text,
  paySig: text,
  signature: text,
})
/** What `wx.requestVirtualPayment` takes, as the API signed it: to be handed over untouched. */
export type VirtualPaymentParams = Checked<typeof isVirtualParams>
/** What the sheet of either channel takes. */
export type PaymentParams = JsapiPaymentParams | VirtualPaymentParams

export const isPurchase = shape({
  order: isOrder,
  payment_params: anyOf<PaymentParams>(isJsapiParams, isVirtualParams),
})
export type Purchase = Checked<typeof isPurchase>
export const isOrderAnswer = shape({ order: isOrder })
export const isSyncAnswer = shape({ order: isOrder, subscription: isSubscription })

export const isDevice = shape({
  serial_number: text,
  model: orNull(text),
  mac_address: orNull(text),
  firmware_version: orNull(text),
  nickname: orNull(text),
  bound_at: text,
})
/** A wearable that is bound to the user. */
export type Device = Checked<typeof isDevice>
export const isDeviceAnswer = shape({ device: isDevice })
export const isUnbound = shape({ unbound: listOf(isDevice) })

export const isChallenge = shape({ nonce: text, expires_at: text })
/** What a device signs to prove that it is at hand; good until `expires_at` (ISO 8601). */
export type Challenge = Checked<typeof isChallenge>

export const isReport = shape(
  {
    id: text,
    client_report_id: text,
    kind: oneOf('scan', 'treatment'),
    serial_number: orNull(text),
    started_at: text,
    ended_at: text,
    score: orNull(number),
    summary: isRecord,
    locked: flag,
    created_at: text,
  },
  { measurements: listOf(anything) },
)
/** A stored scan or treatment; `measurements` are there where the subscription opens them (`locked` is false). */
export type Report = Checked<typeof isReport>

const isProgram = shape(
  {
    code: text,
    name: text,
    body_part: text,
    contraindications: listOf(text),
    premium: flag,
    locked: flag,
  },
  {
    waveform: text,
    frequency_hz: number,
    pulse_width_us: number,
    intensity_min: number,
    intensity_max: number,
    intensity_default: number,
    duration_minutes: number,
  },
)

export const isDiagnosisConfig = shape({
  version: number,
  published_at: text,
  body_parts: listOf(shape({ code: text, name: text })),
  programs: listOf(isProgram),
})
/** The programs that the server publishes: frequencies in Hz, pulses in µs, lengths in minutes; what is `locked` has none. */
export type DiagnosisConfig = Checked<typeof isDiagnosisConfig>

export const isMe = shape({ id: text, nickname: orNull(text), avatar_url: orNull(text), created_at: text })
/** The account of the user. */
export type Me = Checked<typeof isMe>

export const isMessagePermissions = shape({
  items: listOf(shape({ template: text, template_id: text, remaining: number })),
})
/** How many messages of one template the user still allows. */
export type MessagePermission = Checked<typeof isMessagePermissions>['items'][number]

/** The half of a token pair that has to be kept. */
export const isTokens = shape({ access_token: text, refresh_token: text })
export type Tokens = Checked<typeof isTokens>

/** What a problem says of itself, as far as it says it. */
export const isProblemPage = shape(
  {},
  {
    code: text,
    title: text,
    request_id: text,
    out_trade_no: text,
    errors: listOf(shape({ path: text, message: text })),
  },
)
export type ProblemPage = Checked<typeof isProblemPage>
