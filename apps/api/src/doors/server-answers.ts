import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problems } from '@meridian/contracts'
import { newId } from '../platform/ids/new-id.ts'
import { failure, NOTIFICATION_PATH } from './notifications/answer.ts'

/** What a browser is told with every answer of ours: https only for a year, and data loads nothing and is framed by nobody (ASVS 3.4.1, 3.4.6). */
const answerHeaders = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': `default-src 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
} as const

/** For the server's `request` event, so that what no route answers has them too; a page replaces the policy by its own. */
export function giveHeaders(_request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value)
}

type Exchange = { request: IncomingMessage; response: ServerResponse }
const latest = new WeakMap<Socket, Exchange>()

/** Remembers the latest exchange of each connection: for the server's `request` event. */
export function rememberExchange(request: IncomingMessage, response: ServerResponse): void {
  latest.set(request.socket, { request, response })
}

/** Whether what is wrong belongs to a request that has its answer already: a second one would belong to none. */
function isAnswered(socket: Socket): boolean {
  const exchange = latest.get(socket)
  if (!exchange?.response.headersSent) return false
  return !(exchange.request.complete && exchange.response.writableFinished)
}

/** The path that the broken request was for, as far as it came to be known. */
function pathOf(error: Error, socket: Socket): string | undefined {
  const exchange = latest.get(socket)
  if (exchange && !exchange.response.writableFinished) return exchange.request.url
  const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0)
  return /^[A-Z]+ (\S+) /.exec(packet.toString('latin1', 0, 200))?.[1]
}

type Answer = { status: number; type: string; body: object }

/** What the platform gets for a notification that never arrived whole: at that door no answer is a problem document. */
function failureOf(error: Error): Answer {
  const status = 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  return { status, type: 'application/json', body: failure(status) }
}

function problemOf(requestId: string): Answer {
  const { http: status, zh: title } = problems.invalid_request
  const [type, code] = ['/api/v1/docs/problems#invalid_request', 'invalid_request']
  const body = { type, title, status, detail: title, code, request_id: requestId }
  return { status, type: 'application/problem+json', body }
}

/**
 * Answers what is not HTTP, has headers beyond all measure or came too slowly: a problem like any other, and then the
 * connection is closed. There is no request yet, so nothing but its path is known.
 */
export function answerClientError(error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  if (isAnswered(socket)) {
    socket.destroySoon()
    return
  }
  const requestId = newId()
  const isNotification = pathOf(error, socket)?.split('?')[0] === NOTIFICATION_PATH
  const { status, type, body } = isNotification ? failureOf(error) : problemOf(requestId)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(answerHeaders).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
