import { Entitlement, EntitlementQuery } from '@meridian/contracts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'
import { type Entitled, showEntitlement } from '../../subscriptions/show-entitlement.ts'
import { failures } from '../rest/failures.ts'
import type { RestApp } from '../rest/signed-in.ts'
import { toEntitlement } from './translate.ts'

/** Exactly one of the three is there: the schema has seen to it. */
function toEntitled({
  user_id: userId,
  openid,
  serial_number: serialNumber = '',
}: EntitlementQuery): Entitled {
  if (userId !== undefined) return { userId }
  return openid === undefined ? { serialNumber } : { openid }
}

export function entitlementRoutes(app: RestApp, { database }: Services): void {
  app.get(
    '/integration/entitlements',
    {
      config: { scope: 'entitlements:read', guardsKey: true },
      schema: {
        tags: ['integration'],
        querystring: EntitlementQuery,
        response: { 200: Entitlement, ...failures('invalid_request', 'user_not_found') },
      },
    },
    async ({ query, apiKey }) => {
      if (!apiKey) throw new DomainError('unauthenticated')
      const asked = { entitled: toEntitled(query), apiKeyId: apiKey.id }
      return toEntitlement(await showEntitlement(database.pool, asked))
    },
  )
}
