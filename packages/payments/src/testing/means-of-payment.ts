import type { OrderParameters } from './order-parameters.ts'

export type PayLimit = NonNullable<OrderParameters['limit_pay']>[number]

/** What the phone pays with, best liked first, and the limit that takes it away (protocol §3.1). */
const means: readonly { bankType: string; excludedBy: PayLimit }[] = [
  { bankType: 'OTHERS', excludedBy: 'no_balance' },
  { bankType: 'ICBC_DEBIT', excludedBy: 'no_debit' },
  { bankType: 'ICBC_CREDIT', excludedBy: 'no_credit' },
]

/** The bank type that a phone pays an order with under its limits; null where none is left. */
export function bankTypeUnder(limits: readonly PayLimit[]): string | null {
  const allowed = limits.includes('balance_only') ? means.slice(0, 1) : means
  return allowed.find(({ excludedBy }) => !limits.includes(excludedBy))?.bankType ?? null
}
