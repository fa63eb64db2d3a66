import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { generatePlatformKeys } from '@meridian/payments/testing'

export const dayMs = 86_400_000
const fiveYearsMs = 5 * 365 * dayMs

/** A certificate of its own making, which nobody believes, with its key. */
export function certificateThatEndsIn(ms: number): { key: string; cert: string } {
  // The platform's are valid for five years.
  const { merchant } = generatePlatformKeys(new Date(Date.now() - fiveYearsMs + ms))
  return { key: merchant.privateKey, cert: merchant.certificate }
}

/** PostgreSQL with TLS in front of it: it answers the request for TLS (protocol, SSLRequest), then passes bytes on. */
export async function openTlsGate(serverPort: number, keys: { key: string; cert: string }) {
  const secureContext = createSecureContext(keys)
  const sockets = new Set<Socket>()
  const relay = async (near: Socket) => {
    sockets.add(near.on('error', () => undefined))
    await once(near, 'data')
    near.write('S')
    const far = connect(serverPort, '127.0.0.1').on('error', () => near.destroy())
    const secure = new TLSSocket(near, { isServer: true, secureContext }).on('error', () => far.destroy())
    secure.pipe(far).pipe(secure)
  }
  const server = createServer((near) => void relay(near))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
