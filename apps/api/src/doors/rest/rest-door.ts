import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { atDoor, type Services } from '../../services.ts'
import { integrationDoor } from '../integration/integration-door.ts'
import { noteFacts } from '../log-requests.ts'
import { accountRoutes } from './account-routes.ts'
import { diagnosisRoutes, planRoutes } from './catalogue-routes.ts'
import { deviceRoutes } from './device-routes.ts'
import { documentApi, documentRoutes } from './document-api.ts'
import { declareDoor } from './failures.ts'
import { addressKeyOf, limitRate } from './limit-rate.ts'
import { orderRoutes } from './order-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { isReading, routeReads } from './route-reads.ts'
import { sessionRoutes } from './session-routes.ts'
import { authenticator, withZod } from './signed-in.ts'
import { subscriptionRoutes } from './subscription-routes.ts'

/** The methods of RFC 9110 §9.1 and RFC 5789; CONNECT is no request for a path. */
const answerable: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
]

const isMethod = (name: string): name is HTTPMethods => answerable.some((known) => known === name)

/**
 * Watches which routes a scope gets; the plugin it answers, registered last, makes each path refuse the methods it
 * does not know with 405 and `Allow`.
 */
function watchMethods(app: FastifyInstance) {
  const known = new Map<string, Set<HTTPMethods>>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = url.slice(app.prefix.length)
    const methods = known.get(path) ?? new Set()
    for (const name of [method].flat()) if (isMethod(name)) methods.add(name)
    known.set(path, methods)
  })
  return async (refusing: FastifyInstance) => {
    for (const [url, methods] of [...known]) {
      const allow = [...methods].sort().join(', ')
      const refuse = async () => {
        throw new DomainError('method_not_allowed')
      }
      refusing.route({
        method: answerable.filter((name) => !methods.has(name)),
        url,
        exposeHeadRoute: false,
        schema: { hide: true },
        onRequest: async (_request, reply) => {
          reply.header('allow', allow)
          await refuse()
        },
        handler: refuse,
      })
    }
  }
}

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
    routeReads(app, services)
    await documentApi(app)

    await app.register(async (open) => {
      declareDoor(open, { opensBy: 'nothing' })
      open.addHook('onRequest', countAddress)
      sessionRoutes(withZod(open), phones)
      planRoutes(withZod(open), phones)
      await documentRoutes(open)
    })

    await app.register(async (signedIn) => {
      declareDoor(signedIn, { opensBy: 'user' })
      signedIn.addHook('onRequest', async (request, reply) => {
        const door = request.routeOptions.config.pays ? paying : phones
        const whose = () => authenticate(door, request.headers.authorization)
        const read = isReading(request.method) ? services.reads.read('primary', whose) : whose()
        request.user = await read.catch(async (refusal) => {
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

    await app.register(integrationDoor(services, countRequest))

    await app.register(async (refusing) => {
      refusing.addHook('onRequest', countAddress)
      await refusing.register(refuseOtherMethods)
    })
  }
}
