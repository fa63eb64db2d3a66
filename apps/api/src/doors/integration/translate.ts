import type { Entitlement, GrantAnswer, ImportReport, IntegrationOrder } from '@meridian/contracts'
import type { ImportView } from '../../imports/keep-import.ts'
import { tellFaults } from '../../imports/list-imports.ts'
import type { AnyOrder } from '../../orders/list-all-orders.ts'
import type { GivenByKey } from '../../subscriptions/give-days-by-key.ts'
import type { EntitlementView } from '../../subscriptions/show-entitlement.ts'
import type { Language } from '../problem.ts'
import { toOrder } from '../rest/translate.ts'

export const toInstant = (text: string | undefined): Date | undefined => (text ? new Date(text) : undefined)

/** What somebody may use, in the words of the contract. */
export const toEntitlement = (view: EntitlementView): Entitlement => ({
  user_id: view.userId,
  is_active: view.isActive,
  status: view.isActive ? 'active' : 'inactive',
  remaining_days: view.remainingDays,
  expires_at: view.expiresAt?.toISOString() ?? null,
  features: view.features,
  reason: view.reason,
  server_time: view.serverTime.toISOString(),
})

/** An order of anybody, in the words of the contract. */
export const toAnyOrder = (order: AnyOrder): IntegrationOrder => ({
  ...toOrder(order),
  user_id: order.userId,
  transaction_id: order.transactionId,
})

/** What a key gave, in the words of the contract. */
export const toGrant = (given: GivenByKey): GrantAnswer['grant'] => ({
  user_id: given.userId,
  seq: given.seq,
  days: given.days,
  reason: given.reason,
  expires_at: given.expiresAt.toISOString(),
  created_at: given.createdAt.toISOString(),
})

/** How far an import is, in the words of the contract and the language of whoever asks. */
export const toImport = (
  { id, state, lines, users, days, fen, faults }: ImportView,
  language: Language,
): ImportReport => ({
  id,
  state,
  lines,
  users,
  days,
  fen,
  faults: tellFaults(faults, language),
})
