import { type ProblemCode, problems } from '@meridian/contracts'
import { getLocale } from 'next-intl/server'
import superjson from 'superjson'
import { config } from '../config.ts'
import { logSilence } from '../log.ts'
import { operatorToken } from '../session/read-cookies.ts'
import { apiHeaders } from './api-calls.ts'
import { isForeign, REQUEST_ID_HEADER, readBounded, requestIdOf, visitorOf } from './incoming-request.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

const passedOn = ['content-type', 'accept', 'trpc-accept']
const passedBack = ['content-type', 'retry-after', 'ratelimit', 'ratelimit-policy', 'vary', REQUEST_ID_HEADER]

/** Its answer carries the session token, which the page's scripts must never see; next-auth alone calls it. */
const NEVER_FORWARDED = 'operator.signIn'

const only = (headers: Headers, names: readonly string[]): [string, string][] =>
  names.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })

/** An answer of ours in the shape of tRPC's errors, so that the page shows it like any other problem. */
async function refuse(code: ProblemCode, requestId: string): Promise<Response> {
  const { http, zh, en } = problems[code]
  const title = (await getLocale()) === 'en' ? en : zh
  const error = {
    message: title,
    code: -32_600,
    data: { httpStatus: http, problem: { code, title, requestId } },
  }
  return Response.json(
    { error: superjson.serialize(error) },
    { status: http, headers: { [REQUEST_ID_HEADER]: requestId, 'cache-control': 'no-store' } },
  )
}

async function callApi(request: Request, { procedure, requestId }: { procedure: string; requestId: string }) {
  const body = request.method === 'GET' ? undefined : await readBounded(request, BODY_LIMIT_BYTES)
  if (body === null) return refuse('payload_too_large', requestId)
  const [token, language] = await Promise.all([operatorToken(), getLocale()])
  const answer = await fetch(`${config().apiUrl}/trpc/${procedure}${new URL(request.url).search}`, {
    method: request.method,
    headers: {
      ...Object.fromEntries(only(request.headers, passedOn)),
      ...apiHeaders({ headers: request.headers, operatorToken: token, language, requestId }),
    },
    ...(body && { body }),
    cache: 'no-store',
    redirect: 'error',
    signal: request.signal,
  })
  const headers = new Headers(only(answer.headers, passedBack))
  headers.set('cache-control', 'no-store')
  return new Response(answer.body, { status: answer.status, headers })
}

/** Takes a tRPC call of the page to the API: adds who asks, streams the answer back. */
export async function forwardToApi(request: Request, procedure: string): Promise<Response> {
  const requestId = requestIdOf(request.headers)
  if (isForeign(visitorOf(request), config().consoleUrl)) return refuse('forbidden', requestId)
  const names = procedure.split(',')
  if (names.includes(NEVER_FORWARDED) || !names.every((name) => /^[A-Za-z]+(\.[A-Za-z]+)+$/.test(name))) {
    return refuse('not_found', requestId)
  }
  try {
    return await callApi(request, { procedure, requestId })
  } catch (error) {
    logSilence(error, requestId)
    return refuse('service_unavailable', requestId)
  }
}
