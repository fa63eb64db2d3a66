import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkOf } from '@meridian/contracts/addresses'
import type { RouteOf } from './read-routes.ts'

type IsKnown = (pathname: string) => boolean

/** What Next asks its own pages for beside themselves. */
const ofNext = /^\/_next\/|\.rsc$/

/** Which paths lead to a page or a route, or to what Next serves beside them. */
export const knownPaths =
  (routeOf: RouteOf): IsKnown =>
  (pathname) =>
    ofNext.test(pathname) || routeOf(pathname) !== null

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>
type Asked = { request: IncomingMessage; response: ServerResponse; address: string }

/** Pages that are rendered at once for one address, and how many more may wait: a person's browser stays below. */
const pagesAtOnce = 6
const pagesWaiting = 30
/** For how many paths that lead nowhere an address gets the console's own page within a minute; then a plain line. */
const unknownPerMinute = 10

/** Not rendered: files, and calls that the API counts by session. */
const isPage = (pathname: string) => !/^\/(_next|api|console)\//.test(pathname)

function refuse(response: ServerResponse, { status, text }: { status: 404 | 429; text: string }): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...(status === 429 && { 'retry-after': '2' }),
    })
    .end(`${text}\n`)
}

const notFound = { status: 404, text: '页面不存在 / Page not found' } as const
const tooMany = { status: 429, text: '请求过多，请稍后再试 / Too many requests, try again shortly' } as const

type Queue = { running: number; waiting: (() => void)[] }

/** Lets each address have so many pages rendered at once; answers how to leave, or null where too many wait. */
function openQueues() {
  const queues = new Map<string, Queue>()
  return async (address: string): Promise<(() => void) | null> => {
    const queue = queues.get(address) ?? { running: 0, waiting: [] }
    queues.set(address, queue)
    if (queue.running >= pagesAtOnce) {
      if (queue.waiting.length >= pagesWaiting) return null
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    } else queue.running += 1
    return () => {
      const next = queue.waiting.shift()
      if (next) return next()
      queue.running -= 1
      if (queue.running === 0) queues.delete(address)
    }
  }
}

/** Counts paths that lead nowhere, per address and minute. */
function openCounts() {
  let minute = 0
  const counts = new Map<string, number>()
  return (address: string): number => {
    const now = Math.floor(performance.now() / 60_000)
    if (now !== minute) counts.clear()
    minute = now
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    return count
  }
}

/**
 * Stands before what renders pages, which is dear: whoever asks for very many waits behind themselves alone, and paths
 * that lead nowhere soon cost no rendering. Addresses behind a proxy that is not trusted count as one.
 */
export function guardPages(answer: Answer, isKnown: IsKnown) {
  const enter = openQueues()
  const countUnknown = openCounts()
  return async ({ request, response, address }: Asked): Promise<void> => {
    const pathname = (request.url ?? '/').split('?')[0] ?? '/'
    const network = networkOf(address)
    if (!isKnown(pathname) && countUnknown(network) > unknownPerMinute) return refuse(response, notFound)
    if (!isPage(pathname)) return answer(request, response)
    const leave = await enter(network)
    if (!leave) return refuse(response, tooMany)
    try {
      if (!response.destroyed) await answer(request, response)
    } finally {
      leave()
    }
  }
}
