import type { FastifyInstance, HTTPMethods } from 'fastify'
import { DomainError } from '../../platform/errors/domain-error.ts'

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
export function watchMethods(app: FastifyInstance) {
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
