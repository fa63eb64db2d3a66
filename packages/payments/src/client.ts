import type { Outside } from './outside.ts'
import type { Payments } from './payments.ts'
import type { PaymentSettings } from './settings.ts'

export function createPayments(settings: PaymentSettings, outside: Outside): Payments {
  throw new Error(`being built: ${settings.mchId} ${outside.nonce()}`)
}
