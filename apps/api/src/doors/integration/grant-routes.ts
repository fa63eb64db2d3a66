import { GrantAnswer, GrantOrder } from '@meridian/contracts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'
import { type DaysByKey, giveDaysByKey } from '../../subscriptions/give-days-by-key.ts'
import { failures } from '../rest/failures.ts'
import type { RestApp } from '../rest/signed-in.ts'
import { toGrant } from './translate.ts'

/** Exactly one of the two is there: the schema has seen to it. */
const toRecipient = ({ user_id: userId, openid = '' }: GrantOrder): DaysByKey['to'] =>
  userId === undefined ? { openid } : { userId }

export function grantRoutes(app: RestApp, { database }: Services): void {
  app.post(
    '/integration/grants',
    {
      config: { scope: 'grants:write' },
      schema: {
        tags: ['integration'],
        body: GrantOrder,
        response: {
          200: GrantAnswer,
          201: GrantAnswer,
          ...failures('invalid_request', 'user_not_found', 'idempotency_key_reused', 'grant_limit_reached'),
        },
      },
    },
    async (request, reply) => {
      if (!request.apiKey) throw new DomainError('unauthenticated')
      const { days, reason, idempotency_key: idempotencyKey } = request.body
      const order = {
        apiKeyId: request.apiKey.id,
        idempotencyKey,
        to: toRecipient(request.body),
        days,
        reason,
      }
      const { given, isNew } = await giveDaysByKey(database.pool, order)
      return reply.code(isNew ? 201 : 200).send({ grant: toGrant(given) })
    },
  )
}
