import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'
import { watchMethods } from './allow-methods.ts'
import { openRateLimit } from './limit-rate.ts'
import { orderRoutes } from './order-routes.ts'
import { planRoutes } from './plan-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { signedInUser, withZod } from './signed-in.ts'
import { subscriptionRoutes } from './subscription-routes.ts'

/** Where the mini-program speaks to us. */
export function restDoor(services: Services) {
  return async (app: FastifyInstance) => {
    const limits = openRateLimit(services.config)
    app.addHook('onClose', async () => limits.close())
    app.decorateRequest('user', null)
    const refuseOtherMethods = watchMethods(app)

    await app.register(async (open) => {
      open.addHook('onRequest', async (request, reply) => {
        await limits.count(request.routeOptions.config.limit ?? 'anonymous', request.ip, reply)
      })
      sessionRoutes(withZod(open), services)
      planRoutes(withZod(open), services)
    })

    await app.register(async (signedIn) => {
      signedIn.addHook('onRequest', async (request, reply) => {
        request.user = await signedInUser(services, request.headers.authorization)
        await limits.count(request.routeOptions.config.limit ?? 'user', request.user.id, reply)
      })
      subscriptionRoutes(withZod(signedIn), services)
      orderRoutes(withZod(signedIn), services)
    })

    await app.register(refuseOtherMethods)
  }
}
