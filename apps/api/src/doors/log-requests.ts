import type { ProblemCode } from '@meridian/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What is known of a request beside what it asked for: never an openid, an e-mail or a secret. */
type Facts = { user?: string; operator?: string; api_key?: string; address?: string; code?: ProblemCode }

const known = new WeakMap<FastifyRequest, Facts>()

/** Keeps what the line about this request shall say. */
export function noteFacts(request: FastifyRequest, facts: Facts): void {
  known.set(request, { ...known.get(request), ...facts })
}

/** Refusals that whoever watches over the installation wants to see: who is not let in, and who asks too often. */
export const isRefusal = (status: number): boolean => [401, 403, 429].includes(status)

/** What a console request calls, as its path says it; empty where it has none. */
export const calledPath = ({ params }: FastifyRequest): string =>
  typeof params === 'object' && params !== null && 'path' in params && typeof params.path === 'string'
    ? params.path
    : ''

/** The calls of a console request, by name; what is no list of names is not repeated. */
export function procedureOf(request: FastifyRequest): string | undefined {
  const path = calledPath(request)
  return /^[A-Za-z.,]{1,500}$/.test(path) ? path : undefined
}

/** The id a caller gave a request of theirs, where it is harmless to log; ours is our own, so that nobody chooses it. */
function clientRequestIdOf({ headers }: FastifyRequest): string | undefined {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : undefined
}

/** One line for each request: what, from where, who, how it ended. Refusals of the console tell of themselves. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const isConsole = routeOptions.url?.startsWith('/trpc') ?? false
    const line = {
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      client_request_id: clientRequestIdOf(request),
      address: request.ip,
      procedure: isConsole ? procedureOf(request) : undefined,
      ...known.get(request),
    }
    if (isRefusal(reply.statusCode) && !isConsole)
      request.log.warn({ event: 'request_refused', ...line }, 'request')
    else request.log.info(line, 'request')
  })
}
