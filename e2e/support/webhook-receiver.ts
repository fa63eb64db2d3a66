import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** A message as another system of the company got it. */
export type Received = { id: string; type: string; body: string; headers: Record<string, string> }

/** What it says, once a secret has proven that it is genuine. Throws where it has not. */
export const verified = ({ body, headers }: Received, secret: string): unknown =>
  new Webhook(secret).verify(body, headers)

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function read(body: string, headers: Record<string, string>): Received {
  const { type = '' }: { type?: string } = JSON.parse(body)
  return { id: headers['webhook-id'] ?? '', type, body, headers }
}

/** A system of the company that receives webhooks: it keeps what comes, and fails as often as it is told to. */
export async function openReceiver() {
  const received: Received[] = []
  let failures = 0
  const server = createServer(async (request, response) => {
    received.push(read(await text(request), plain(request.headers)))
    if (failures === 0) response.writeHead(204).end()
    else response.writeHead(503, { 'content-type': 'text/plain' }).end('no room today')
    failures = Math.max(0, failures - 1)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hooks/meridian`,
    fails: (times: number) => {
      failures = times
    },
    /** What came of a type, in the order it came. */
    of: (type: string) => received.filter((message) => message.type === type),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
