import { type InboxFilter, type InboxItem, type InboxReference, OperatorRole } from '@meridian/contracts'
import { beforeAll } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { type Console, signedInConsole, signInAnew } from './console.ts'
import type { TestWorld } from './test-world.ts'

export const emailOf = (role: string) => `${role}@example.com`

const everything = { view: 'all', limit: 100 } as const

/** What waits as this operator sees it. */
export const itemsOf = async (who: Console, filter: Partial<InboxFilter> = {}): Promise<InboxItem[]> =>
  (await who.inbox.list.query({ ...everything, ...filter })).items

/** One thing that waits, where this part of the queue shows it. */
export const findItem = async (
  who: Console,
  { kind, id }: InboxReference,
  filter: Partial<InboxFilter> = {},
): Promise<InboxItem | undefined> =>
  (await itemsOf(who, filter)).find((item) => item.kind === kind && item.id === id)

/** What can be made to wait in this world, and one console for each role. */
export function useInbox(world: TestWorld) {
  const consoles = {} as Record<OperatorRole, Console>
  beforeAll(async () => {
    for (const role of OperatorRole.options)
      consoles[role] = (await signedInConsole(world, { email: emailOf(role), role })).console
  })
  return {
    consoles,
    /** After so much time that every session has ended. */
    signInAgain: async (): Promise<void> => {
      for (const role of OperatorRole.options)
        consoles[role] = (await signInAnew(world, emailOf(role))).console
    },
    parkedOrder: async (): Promise<InboxReference> => {
      const id = await (await world.phone()).buysAndPays('monthly')
      const trace = { channel: 'job', requestId: null } as const
      await parkOrder(world.services.database.pool, { outTradeNo: id, reason: 'paid_without_grant', trace })
      return { kind: 'order', id }
    },
    openAlert: async (kind: string, subject: string): Promise<InboxReference> => {
      const [row] = await world.query<{ id: string }>(
        'INSERT INTO alerts (kind, subject) VALUES ($1, $2) RETURNING id::text',
        [kind, subject],
      )
      return { kind: 'alert', id: row?.id ?? '' }
    },
    resolveAll: () => world.query('UPDATE alerts SET resolved_at = business_now() WHERE resolved_at IS NULL'),
    releaseAll: () => world.query('UPDATE orders SET parked = false, park_reason = NULL WHERE parked'),
  }
}
