import { z } from 'zod'

const places = [
  'prepay',
  'query',
  'close',
  'refund',
  'refund_query',
  'bill',
  'bill_download',
  'certificates',
  'mini_program',
  'access_token',
  'notification',
] as const

/** Everything that the switch can do. */
export const weatherKinds = [
  'delay',
  'drop',
  'duplicate',
  'reorder',
  'corrupt_byte',
  'probe',
  'wrong_amount',
  'wrong_app_id',
  'wrong_mch_id',
  'wrong_currency',
  'wrong_payer',
  'wrong_key',
  'unknown_serial',
  'clock_skew',
  'unsigned',
  'error_before',
  'error_after',
  'rate_limited',
  'html',
  'refund_abnormal',
  'refund_closed',
  'not_subscribed',
  'token_expired',
  'shipping_not_ready',
] as const

export type WeatherPlace = (typeof places)[number]

/** What may happen to an answer, a notification, or both. */
export type WeatherKind = (typeof weatherKinds)[number]

export type WeatherRule = {
  kind: WeatherKind
  /** Everywhere when absent. */
  at?: WeatherPlace | undefined
  /** Every order when absent. */
  outTradeNo?: string | undefined
  /** Until cleared when absent. */
  times?: number | undefined
  /** For `delay`. */
  ms?: number | undefined
  /** For `clock_skew`. */
  seconds?: number | undefined
  /** For `error_before` and `error_after`: 500 when absent. */
  status?: number | undefined
}

const WeatherRules = z.object({
  kind: z.enum(weatherKinds),
  at: z.enum(places).optional(),
  outTradeNo: z.string().optional(),
  times: z.number().int().positive().optional(),
  ms: z.number().int().min(0).optional(),
  seconds: z.number().int().optional(),
  status: z.number().int().min(400).max(599).optional(),
})

export type Weather = {
  readonly rules: readonly WeatherRule[]
  add(...rules: WeatherRule[]): void
  set(rules: readonly WeatherRule[]): void
  clear(): void
  /** The rules that apply to this event, each counted as used once. */
  take(place: WeatherPlace, outTradeNo: string | null): Weathered
}

/** What happens to one event. */
export type Weathered = { has(kind: WeatherKind): boolean; rule(kind: WeatherKind): WeatherRule | undefined }

/** Fair weather until somebody adds a rule. */
export function createWeather(): Weather {
  let rules: WeatherRule[] = []
  const applies = (rule: WeatherRule, place: WeatherPlace, outTradeNo: string | null) =>
    (rule.at === undefined || rule.at === place) &&
    (rule.outTradeNo === undefined || rule.outTradeNo === outTradeNo)
  return {
    get rules() {
      return rules
    },
    add: (...added) => {
      rules = [...rules, ...added.map((rule) => ({ ...rule }))]
    },
    set: (wanted) => {
      rules = wanted.map((rule) => ({ ...rule }))
    },
    clear: () => {
      rules = []
    },
    take: (place, outTradeNo) => {
      const taken = rules.filter((rule) => applies(rule, place, outTradeNo))
      for (const rule of taken) if (rule.times !== undefined) rule.times -= 1
      rules = rules.filter((rule) => rule.times === undefined || rule.times > 0)
      const rule = (kind: WeatherKind) => taken.find((one) => one.kind === kind)
      return { rule, has: (kind) => rule(kind) !== undefined }
    },
  }
}

/** Reads rules that came over HTTP; null when they are not rules. */
export function readWeather(value: unknown): WeatherRule[] | null {
  return z.array(WeatherRules).safeParse(value).data ?? null
}
