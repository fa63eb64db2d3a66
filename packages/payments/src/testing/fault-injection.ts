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
  'xpay',
  'notification',
  'push',
] as const

/** Everything that the switch can do. */
export const faultKinds = [
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

/** What only pushes of virtual payment can say wrongly (virtual payment §10.6). */
export const pushFaultKinds = ['wrong_env', 'wrong_product', 'is_probe'] as const

/** Where a fault may happen: at an endpoint, or on the way of a notification or push. */
export type FaultPlace = (typeof places)[number]

/** What may happen to an answer, a notification, or both. */
export type FaultKind = (typeof faultKinds)[number]
type AnyFaultKind = FaultKind | (typeof pushFaultKinds)[number]

/** One fault: what happens, where, to which order and how often. */
export type FaultRule = {
  kind: AnyFaultKind
  /** Everywhere when absent. */
  at?: FaultPlace | undefined
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

const FaultRules = z.object({
  kind: z.enum([...faultKinds, ...pushFaultKinds]),
  at: z.enum(places).optional(),
  outTradeNo: z.string().optional(),
  times: z.number().int().positive().optional(),
  ms: z.number().int().min(0).optional(),
  seconds: z.number().int().optional(),
  status: z.number().int().min(400).max(599).optional(),
})

/** The faults of one platform; each rule holds until it is used up or cleared. */
export type FaultInjection = {
  readonly rules: readonly FaultRule[]
  add(...rules: FaultRule[]): void
  set(rules: readonly FaultRule[]): void
  clear(): void
  /** The rules that apply to this event, each counted as used once. */
  take(place: FaultPlace, outTradeNo: string | null): InjectedFaults
}

/** What happens to one event. */
export type InjectedFaults = {
  has(kind: AnyFaultKind): boolean
  rule(kind: AnyFaultKind): FaultRule | undefined
}

/** Nothing is injected. */
export const noFaults: InjectedFaults = { has: () => false, rule: () => undefined }

/** No faults until somebody adds a rule. */
export function createFaultInjection(): FaultInjection {
  let rules: FaultRule[] = []
  const applies = (rule: FaultRule, place: FaultPlace, outTradeNo: string | null) =>
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
      const rule = (kind: AnyFaultKind) => taken.find((one) => one.kind === kind)
      return { rule, has: (kind) => rule(kind) !== undefined }
    },
  }
}

/** Reads rules that came over HTTP; null when they are not rules. */
export function readFaultRules(value: unknown): FaultRule[] | null {
  return z.array(FaultRules).safeParse(value).data ?? null
}
