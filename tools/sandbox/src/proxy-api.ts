import { type IncomingMessage, request, type ServerResponse } from 'node:http'

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'origin', 'referer'])

/** Passes a call of the phone page on to the API, so that the page needs no cross-origin permission. */
export function proxyApi(apiUrl: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !hopByHop.has(name)))
  const target = new URL(incoming.url ?? '/', apiUrl)
  const passed = request(target, { method: incoming.method, headers }, (answer) => {
    const { connection: _, 'keep-alive': __, ...answered } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, answered)
    answer.pipe(outgoing)
  })
  passed.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else
      outgoing
        .writeHead(502, { 'content-type': 'application/json' })
        .end('{"title":"The API cannot be reached"}')
  })
  outgoing.on('close', () => passed.destroy())
  incoming.pipe(passed)
}
