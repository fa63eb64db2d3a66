import type { IncomingMessage, ServerResponse } from 'node:http'

export type Readiness = { prepared: boolean; draining: boolean }

type Answer = { status: 200 | 503; body: object }

/**
 * `/healthz`: the process answers. `/readyz`: it renders pages, and wants more requests. Whether the API answers is no part
 * of it: without the API every console is in the same state, and a person is better served by its page than by none.
 */
function answerOf(path: string, { prepared, draining }: Readiness): Answer | null {
  if (path === '/healthz') return { status: 200, body: { status: 'ok' } }
  if (path !== '/readyz') return null
  const checks = { pages: prepared ? 'ok' : 'failed' }
  if (draining) return { status: 503, body: { status: 'draining', checks } }
  if (!prepared) return { status: 503, body: { status: 'not_ready', checks } }
  return { status: 200, body: { status: 'ready', checks } }
}

/** Answers the two questions of a balancer; false where something else was asked. */
export function answerHealth(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  readiness: Readiness,
): boolean {
  const answer = method === 'GET' || method === 'HEAD' ? answerOf(url.split('?')[0] ?? '', readiness) : null
  if (answer === null) return false
  response
    .writeHead(answer.status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(method === 'HEAD' ? undefined : JSON.stringify(answer.body))
  return true
}
