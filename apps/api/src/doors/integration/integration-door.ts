import type { FastifyInstance } from 'fastify'
import { atDoor, type Services } from '../../services.ts'
import { noteFacts } from '../log-requests.ts'
import { declareDoor } from '../rest/failures.ts'
import { addressKeyOf, type limitRate } from '../rest/limit-rate.ts'
import { isReading } from '../rest/route-reads.ts'
import { withZod } from '../rest/signed-in.ts'
import { keyAuthenticator, requireScope } from './authenticate-key.ts'
import { entitlementRoutes } from './entitlement-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { grantRoutes } from './grant-routes.ts'
import { importRoutes } from './import-routes.ts'
import { integrationOrderRoutes } from './order-routes.ts'

/**
 * Where the company's other systems speak to us, each with a key of its own. They take the connections of the console:
 * whoever asks too much keeps colleagues waiting, and nobody who pays.
 */
export function integrationDoor(services: Services, countRequest: ReturnType<typeof limitRate>) {
  const asked = atDoor(services, 'console')
  const authenticate = keyAuthenticator(asked)
  return async (app: FastifyInstance) => {
    app.decorateRequest('apiKey', null)
    declareDoor(app, { opensBy: 'api_key' })
    app.addHook('onRequest', async (request, reply) => {
      const { scope, guardsKey = false } = request.routeOptions.config
      const whose = () => authenticate(request.headers.authorization, guardsKey)
      const read = isReading(request.method) ? services.reads.read('primary', whose) : whose()
      const key = await read.catch(async (refusal) => {
        await countRequest('anonymous', addressKeyOf(request), reply)
        throw refusal
      })
      request.apiKey = key
      noteFacts(request, { api_key: key.id })
      await countRequest('integration', key.id, reply)
      requireScope(key, scope)
    })
    entitlementRoutes(withZod(app), asked)
    integrationOrderRoutes(withZod(app), asked)
    grantRoutes(withZod(app), asked)
    eventRoutes(withZod(app), asked)
    await app.register((scope) => importRoutes(scope, asked))
  }
}
