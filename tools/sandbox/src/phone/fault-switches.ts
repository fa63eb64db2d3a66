import type { FaultKind, FaultPlace, FaultRule } from '@meridian/payments/testing'

/** Faults of virtual payment: of its pushes, of what they say, and of the platform's answers. */
export const virtualFaults = [
  'push_drop',
  'push_delay',
  'push_duplicate',
  'push_reorder',
  'push_corrupt_byte',
  'push_wrong_key',
  'push_clock_skew',
  'push_is_probe',
  'push_wrong_amount',
  'push_wrong_product',
  'push_wrong_env',
  'push_wrong_app_id',
  'push_wrong_payer',
  'xpay_error_before',
  'xpay_rate_limited',
  'xpay_html',
  'xpay_token_expired',
  'xpay_refund_closed',
] as const
export type VirtualFault = (typeof virtualFaults)[number]
export type FaultSwitch = FaultKind | VirtualFault

type Choice = {
  group: Group
  at: readonly FaultPlace[]
  kind?: FaultRule['kind']
  ms?: number
  status?: number
}

export const groups = ['notice', 'content', 'answer', 'push', 'pushed', 'xpay', 'refund', 'program'] as const
export type Group = (typeof groups)[number]

const notice: Choice = { group: 'notice', at: ['notification'] }
const content: Choice = { group: 'content', at: ['notification'] }
const answer: Choice = { group: 'answer', at: ['prepay', 'query', 'close'] }
const refund: Choice = { group: 'refund', at: ['refund'] }
const program: Choice = { group: 'program', at: ['mini_program'] }
const push = (kind: FaultRule['kind']): Choice => ({ group: 'push', at: ['push'], kind })
const pushed = (kind: FaultRule['kind']): Choice => ({ group: 'pushed', at: ['push'], kind })
const xpay = (kind: FaultRule['kind']): Choice => ({ group: 'xpay', at: ['xpay'], kind })

/** Every fault the platform knows: where it is switched, and what it strikes then. */
const choices: Record<FaultSwitch, Choice> = {
  drop: notice,
  delay: { ...notice, ms: 5_000 },
  duplicate: notice,
  reorder: notice,
  probe: notice,
  corrupt_byte: notice,
  wrong_key: notice,
  unknown_serial: notice,
  clock_skew: notice,
  wrong_amount: content,
  wrong_currency: content,
  wrong_app_id: content,
  wrong_mch_id: content,
  wrong_payer: content,
  error_before: { ...answer, status: 503 },
  error_after: answer,
  rate_limited: answer,
  html: answer,
  unsigned: answer,
  refund_abnormal: refund,
  refund_closed: refund,
  token_expired: program,
  not_subscribed: program,
  shipping_not_ready: program,
  push_drop: push('drop'),
  push_delay: { ...push('delay'), ms: 5_000 },
  push_duplicate: push('duplicate'),
  push_reorder: push('reorder'),
  push_corrupt_byte: push('corrupt_byte'),
  push_wrong_key: push('wrong_key'),
  push_clock_skew: push('clock_skew'),
  push_is_probe: pushed('is_probe'),
  push_wrong_amount: pushed('wrong_amount'),
  push_wrong_product: pushed('wrong_product'),
  push_wrong_env: pushed('wrong_env'),
  push_wrong_app_id: pushed('wrong_app_id'),
  push_wrong_payer: pushed('wrong_payer'),
  xpay_error_before: { ...xpay('error_before'), status: 503 },
  xpay_rate_limited: xpay('rate_limited'),
  xpay_html: xpay('html'),
  xpay_token_expired: xpay('token_expired'),
  xpay_refund_closed: xpay('refund_closed'),
}

export const isSwitch = (name: string): name is FaultSwitch => Object.hasOwn(choices, name)

export const switchesOf = (wanted: Group): FaultSwitch[] =>
  Object.keys(choices)
    .filter(isSwitch)
    .filter((name) => choices[name].group === wanted)

/** What a switch sets; the simpler ones are called as what they do. */
export function rulesOf(name: FaultSwitch): FaultRule[] {
  const { at, ms, status, kind = name } = choices[name]
  return isKind(kind) ? at.map((place) => ({ kind, at: place, ms, status })) : []
}

const isKind = (kind: FaultRule['kind'] | VirtualFault): kind is FaultRule['kind'] =>
  !virtualFaults.some((name) => name === kind)

export const isSwitchedOn = (rules: readonly FaultRule[], name: FaultSwitch): boolean =>
  rulesOf(name).every((wanted) => rules.some(({ kind, at }) => kind === wanted.kind && at === wanted.at))
