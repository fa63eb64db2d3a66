import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { atDoor, type Services } from '../../services.ts'
import { noteFacts } from '../log-requests.ts'
import { accountRoutes } from './account-routes.ts'
import { watchMethods } from './allow-methods.ts'
import { deviceRoutes } from './device-routes.ts'
import { diagnosisRoutes } from './diagnosis-routes.ts'
import { documentApi, documentRoutes } from './document-api.ts'
import { declareDoor } from './failures.ts'
import { addressKeyOf, limitRate } from './limit-rate.ts'
import { orderRoutes } from './order-routes.ts'
import { planRoutes } from './plan-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { authenticator, withZod } from './signed-in.ts'
import { subscriptionRoutes } from './subscription-routes.ts'

/** Where the mini-program speaks to us. */
export function restDoor(services: Services) {
  const phones = atDoor(services, 'phones')
  const paying = atDoor(services, 'payments')
  return async (app: FastifyInstance) => {
    const countRequest = limitRate(services.limits, services.config)
    const authenticate = authenticator()
    app.decorateRequest('user', null)
    const countAddress = async (request: FastifyRequest, reply: FastifyReply) => {
      await countRequest(request.routeOptions.config.limit ?? 'anonymous', addressKeyOf(request), reply)
    }
    app.setNotFoundHandler(() => {
      throw new DomainError('not_found')
    })
    app.addHook('onRequest', async (request, reply) => {
      if (request.is404) await countAddress(request, reply)
    })
    const refuseOtherMethods = watchMethods(app)
    await documentApi(app)

    await app.register(async (open) => {
      declareDoor(open, { signedIn: false })
      open.addHook('onRequest', countAddress)
      sessionRoutes(withZod(open), phones)
      planRoutes(withZod(open), phones)
      await documentRoutes(open)
    })

    await app.register(async (signedIn) => {
      declareDoor(signedIn, { signedIn: true })
      signedIn.addHook('onRequest', async (request, reply) => {
        const door = request.routeOptions.config.pays ? paying : phones
        request.user = await authenticate(door, request.headers.authorization).catch(async (refusal) => {
          await countRequest('anonymous', addressKeyOf(request), reply)
          throw refusal
        })
        noteFacts(request, { user: request.user.id })
        await countRequest(request.routeOptions.config.limit ?? 'user', request.user.id, reply)
      })
      accountRoutes(withZod(signedIn), phones)
      subscriptionRoutes(withZod(signedIn), { phones, paying })
      orderRoutes(withZod(signedIn), { phones, paying })
      reportRoutes(withZod(signedIn), phones)
      diagnosisRoutes(withZod(signedIn), phones)
      deviceRoutes(withZod(signedIn), phones)
    })

    await app.register(async (refusing) => {
      refusing.addHook('onRequest', countAddress)
      await refusing.register(refuseOtherMethods)
    })
  }
}
