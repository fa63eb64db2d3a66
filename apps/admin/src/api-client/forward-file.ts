import { type ProblemCode, problems } from '@meridian/contracts'
import { getLocale } from 'next-intl/server'
import { config } from '../config.ts'
import { logSilence } from '../log.ts'
import { operatorToken } from '../session/read-cookies.ts'
import { apiHeaders } from './api-calls.ts'
import { isForeign, REQUEST_ID_HEADER, readBounded, requestIdOf, visitorOf } from './incoming-request.ts'

async function refuse(code: ProblemCode, requestId: string): Promise<Response> {
  const { http, zh, en } = problems[code]
  const title = (await getLocale()) === 'en' ? en : zh
  return Response.json(
    { type: 'about:blank', title, status: http, detail: title, code, request_id: requestId },
    { status: http, headers: { [REQUEST_ID_HEADER]: requestId, 'cache-control': 'no-store' } },
  )
}

async function send(
  request: Request,
  body: BodyInit | null,
  { path, requestId }: { path: string; requestId: string },
) {
  const [token, language] = await Promise.all([operatorToken(), getLocale()])
  // A call without a body has no type, and the API takes an empty one for one that it does not know.
  const type = request.headers.get('content-type')
  const answer = await fetch(`${config().apiUrl}${path}`, {
    method: 'POST',
    headers: {
      ...(type && { 'content-type': type }),
      ...apiHeaders({ headers: request.headers, operatorToken: token, language, requestId }),
    },
    body,
    // What is sent as it comes: the answer is read once all of it is there.
    ...(body instanceof ReadableStream && { duplex: 'half' }),
    cache: 'no-store',
    redirect: 'error',
    signal: request.signal,
  })
  return new Response(answer.body, {
    status: answer.status,
    headers: {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
      'cache-control': 'no-store',
      [REQUEST_ID_HEADER]: answer.headers.get(REQUEST_ID_HEADER) ?? requestId,
    },
  })
}

/**
 * Takes a file of the page to the API as it comes, so that it may be large; the API counts its bytes, and closes it where
 * it dawdles.
 */
export async function forwardStream(
  request: Request,
  { path, limitBytes }: { path: string; limitBytes: number },
): Promise<Response> {
  const requestId = requestIdOf(request.headers)
  if (isForeign(visitorOf(request), config().consoleUrl)) return refuse('forbidden', requestId)
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes)
    return refuse('payload_too_large', requestId)
  try {
    return await send(request, request.body, { path, requestId })
  } catch (error) {
    logSilence(error, requestId)
    return refuse('service_unavailable', requestId)
  }
}

/**
 * Takes a file of the page to the API. It is held here until it is complete: the API closes connections that dawdle,
 * and a browser may be slow.
 */
export async function forwardFile(
  request: Request,
  { path, limitBytes }: { path: string; limitBytes: number },
): Promise<Response> {
  const requestId = requestIdOf(request.headers)
  if (isForeign(visitorOf(request), config().consoleUrl)) return refuse('forbidden', requestId)
  const body = await readBounded(request, limitBytes)
  if (body === null) return refuse('payload_too_large', requestId)
  try {
    return await send(request, body, { path, requestId })
  } catch (error) {
    logSilence(error, requestId)
    return refuse('service_unavailable', requestId)
  }
}
