import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { LimitName } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { Services } from '../../services.ts'
import { getSignedInUser, type SignedInUser } from '../../users/find-user.ts'
import { readAccessToken } from '../../users/user-tokens.ts'
import { watchMethods } from './allow-methods.ts'
import { openRateLimit } from './limit-rate.ts'
import { orderRoutes } from './order-routes.ts'
import { planRoutes } from './plan-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { subscriptionRoutes } from './subscription-routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which limit a route counts against. */
    limit?: LimitName
  }
  interface FastifyRequest {
    /** Who sent it, in the scope of signed-in routes. */
    user: SignedInUser | null
  }
}

export type RestApp = ReturnType<typeof withZod>
const withZod = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()

/** The signed-in user of a request; the scope it is called in has put them there. */
export function userOf(request: { user: SignedInUser | null }): SignedInUser {
  if (!request.user) throw new DomainError('unauthenticated')
  return request.user
}

const bearer = /^Bearer ([A-Za-z0-9._-]{1,4096})$/

async function signedInUser(services: Services, authorization: string | undefined): Promise<SignedInUser> {
  const token = bearer.exec(authorization ?? '')?.[1]
  if (!token) throw new DomainError('unauthenticated')
  return getSignedInUser(services.database.pool, await readAccessToken(services.config.JWT_SECRET, token))
}

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
