import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventBody } from '@meridian/contracts'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

/** What is sent: an event or a test. */
const Sent = EventBody.extend({ type: z.string() })
type Sent = z.infer<typeof Sent>

/**
 * What a receiver does with a delivery: takes it, answers a status, says nothing for ever, sends it elsewhere, would speak
 * another protocol, or answers 200 with a body that does not end.
 */
export type Manner = 'takes' | 'hangs' | 'redirects' | 'switches' | 'trickles' | number

/** A whole answer by which a server leaves HTTP. */
export const switchingAnswer =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

/** A delivery as it came. */
export type Received = {
  id: string
  bytes: string
  event: Sent
  headers: Record<string, string>
  verified: boolean
  answered: Manner
}

async function bytesOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))

/** Whether one of the secrets verifies it, as the library of Standard Webhooks does. */
function isVerified(secrets: readonly string[], bytes: string, headers: Record<string, string>): boolean {
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(bytes, headers)
      return true
    } catch {
      return false
    }
  })
}

/** Another system of the company: a real server that verifies what it gets and keeps all of it, in order. */
export async function startReceiver() {
  const received: Received[] = []
  const secrets: string[] = []
  let deaths = 0
  let mannerOf: (event: Sent) => Manner = () => 'takes'
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const bytes = await bytesOf(request)
    const headers = headersOf(request)
    const event = Sent.parse(JSON.parse(bytes))
    const answered = mannerOf(event)
    const verified = isVerified(secrets, bytes, headers)
    received.push({ id: headers['webhook-id'] ?? '', bytes, event, headers, verified, answered })
    if (answered === 'redirects') response.writeHead(302, { location: '/elsewhere' }).end('moved')
    else if (answered === 'takes') response.writeHead(204).end()
    else if (answered === 'switches') request.socket.write(switchingAnswer)
    else if (answered === 'trickles') response.writeHead(200).write('so far')
    else if (answered !== 'hangs') response.writeHead(answered).end('no, '.repeat(2_000))
  }
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook?token=receiver-token`,
    received,
    /** The secrets it verifies by; any of them will do. */
    secrets,
    /** From now on it does so with what it gets. */
    behave: (manner: Manner | ((event: Sent) => Manner)) => {
      mannerOf = typeof manner === 'function' ? manner : () => manner
    },
    deaths: () => deaths,
    /** Ends as a program that is killed: what it was about to answer is answered by nobody. */
    die: () => {
      if (!server.listening) return false
      deaths += 1
      server.close()
      server.closeAllConnections()
      return true
    },
    /** Begins again at the same address. */
    revive: async () => {
      if (server.listening) return
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>
