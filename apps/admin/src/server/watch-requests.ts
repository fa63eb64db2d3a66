import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Tracing } from '@meridian/tracing'
import { REQUEST_ID_HEADER, requestIdOf } from '../api-client/incoming-request.ts'
import { writeLog } from '../log.ts'
import type { RouteOf } from './read-routes.ts'

type Exchange = { request: IncomingMessage; response: ServerResponse; address: string }
type Answer = (exchange: Exchange) => Promise<void>

/** Files, and what is asked every few seconds: counted in the metrics alone. */
const unwatched = /^\/(_next\/|healthz$|readyz$|favicon\.ico$|icon\.svg$)/

const longestPath = 200

/** A procedure, or several, that the page calls through this server. */
const calledIn = (pathname: string): string | null =>
  /^\/api\/trpc\/([A-Za-z.,]{1,500})$/.exec(pathname)?.[1] ?? null

/** The page or route, or the one procedure that is called through this server. */
function nameOf(pathname: string, routeOf: RouteOf): string {
  const procedure = calledIn(pathname)
  if (procedure !== null) return `/api/trpc/${procedure.includes(',') ? 'several' : procedure}`
  return routeOf(pathname) ?? 'unknown'
}

const headersOf = ({ headers }: IncomingMessage) => ({
  get: (name: string) => headers[name]?.toString() ?? null,
})

/**
 * Writes one line for each request: what, from where, how it ended; who it was stands in the line of the API under the
 * same id (`client_request_id` there). Where traces are on, begins the trace that the API goes on with. A browser's own
 * idea of a trace is dropped.
 */
export const watchRequests =
  (traces: Tracing | null, routeOf: RouteOf) =>
  async (exchange: Exchange, answer: Answer): Promise<void> => {
    const { request, response, address } = exchange
    const { method = '' } = request
    delete request.headers['traceparent']
    const pathname = (request.url ?? '/').split('?')[0] ?? '/'
    if (unwatched.test(pathname)) return answer(exchange)
    const startedAt = performance.now()
    const requestId = requestIdOf(headersOf(request))
    request.headers[REQUEST_ID_HEADER] = requestId
    const route = nameOf(pathname, routeOf)
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'meridian.request_id': requestId,
    }
    const activity = traces?.beginActivity({ name: `${method} ${route}`, kind: 'server', attributes })
    if (activity) request.headers['traceparent'] = activity.traceparent
    response.once('close', () => {
      const status = response.statusCode
      const ms = Math.round(performance.now() - startedAt)
      const line = { method, path: pathname.slice(0, longestPath), status, ms, reqId: requestId, address }
      writeLog('info', 'request', { ...line, ...activity?.fields })
      activity?.end({ failed: status >= 500, attributes: { 'http.response.status_code': status } })
    })
    return activity ? activity.run(() => answer(exchange)) : answer(exchange)
  }
