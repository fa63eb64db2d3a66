import { fatalRules } from './fatal-rules.ts'
import { operationRules } from './operation-rules.ts'
import { orderRules } from './order-rules.ts'

/** The rules of the platform's published integration list that apply to us, in its order. */
export const rules = [...fatalRules, ...orderRules, ...operationRules].sort((a, b) => a.number - b.number)

export const LIST = 'wechatpay-skills, basic-payment guide, 2026-04-28'
