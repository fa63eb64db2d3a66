import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { problems } from '@meridian/contracts'
import { newId } from '../new-id.ts'

const { http: status, zh: title } = problems.invalid_request

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

/**
 * Answers what is not HTTP, has headers beyond all measure or came too slowly: a problem like any other, and then the
 * connection is closed. There is no request yet, so nothing of it is known.
 */
export function answerClientError(_error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  if (isAnswered(socket)) {
    socket.destroySoon()
    return
  }
  const requestId = newId()
  const type = '/api/v1/docs/problems#invalid_request'
  const body = JSON.stringify({
    type,
    title,
    status,
    detail: title,
    code: 'invalid_request',
    request_id: requestId,
  })
  const head = [
    `HTTP/1.1 ${status} Bad Request`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
