import { type Activity, readTraceparent, type Tracing } from '@meridian/tracing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noteOrder } from '../../platform/measures/order-measures.ts'
import { procedureOf } from '../log-requests.ts'

/** Asked every few seconds by whoever watches: what they cost is in the metrics. */
const untraced: readonly string[] = ['/healthz', '/readyz']

/** The routes that only our console reaches, with a token that only it can make. */
const isOfConsole = (route: string): boolean => /^\/(trpc|console)\b/.test(route)

const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'unknown'

/** The route, or the one procedure that a call of the console names. */
function nameOf(request: FastifyRequest): string {
  const route = routeOf(request)
  const procedure = route.startsWith('/trpc') ? procedureOf(request) : undefined
  const called = procedure?.includes(',') ? 'several' : procedure
  return `${request.method} ${called === undefined ? route : `/trpc/${called}`}`
}

/**
 * Begins the trace of a request. Whose request is the console's goes on with the trace that it began; what anybody else
 * says of a trace of theirs is no more than a link, so that nobody decides which of ours are kept or writes into them.
 */
function begin(tracing: Tracing, request: FastifyRequest, isTrusted: boolean): Activity {
  const theirs = readTraceparent(request.headers['traceparent'])
  return tracing.beginActivity({
    name: nameOf(request),
    kind: 'server',
    ...(isTrusted ? { parent: theirs } : { link: theirs }),
    attributes: {
      'http.request.method': request.method,
      'http.route': routeOf(request),
      'meridian.request_id': request.id,
    },
  })
}

/** The number of the order that the address names. */
function orderIn({ params }: FastifyRequest): string | undefined {
  if (typeof params !== 'object' || params === null || !('out_trade_no' in params)) return undefined
  return typeof params.out_trade_no === 'string' ? params.out_trade_no : undefined
}

function end(activity: Activity, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode } = reply
  // Whoever is refused may name any order.
  if (statusCode < 400) activity.run(() => noteOrder(orderIn(request)))
  activity.end({
    failed: statusCode >= 500,
    attributes: {
      'http.response.status_code': statusCode,
      ...(!reply.raw.writableFinished && { 'error.type': 'closed_by_client' }),
    },
  })
}

/**
 * Makes a trace of each request. To be registered before every other hook, so that what these ask the database is a part
 * of it. Does nothing where traces are off.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing | null): void {
  if (!tracing) return
  const activities = new WeakMap<FastifyRequest, Activity>()

  const open = (request: FastifyRequest, reply: FastifyReply, isTrusted: boolean): Activity => {
    const activity = begin(tracing, request, isTrusted)
    activities.set(request, activity)
    // Emitted however an answer ends, also where its reader has gone.
    reply.raw.once('close', () => end(activity, request, reply))
    return activity
  }
  const goOn = (request: FastifyRequest, done: () => void) => {
    const activity = activities.get(request)
    if (activity) activity.run(done)
    else done()
  }

  app.addHook('onRequest', (request, reply, done) => {
    const route = routeOf(request)
    if (untraced.includes(route) || isOfConsole(route)) done()
    else open(request, reply, false).run(() => done())
  })
  // A body arrives as an event of its connection, which is part of no request. By now the console has shown its token.
  app.addHook('preValidation', (request, reply, done) => {
    if (request.browser) open(request, reply, true)
    goOn(request, done)
  })
  // So is the end of an answer; the line about the request is to name its trace.
  app.addHook('onResponse', (request, _reply, done) => goOn(request, done))
}
