import type { Server } from 'node:http'

/** Leaves the process five of the twenty-five seconds it has. */
const DRAIN_MS = 20_000
/** A terminal and npm each pass on the same Ctrl-C. */
const SAME_REQUEST_MS = 5_000

/** Ends the process on SIGTERM or SIGINT: no new requests, those under way are finished, exit 0. */
export function stopGracefully(server: Server, closeNext: () => Promise<void>): void {
  let askedAt: number | null = null

  const stop = async () => {
    const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeIdleConnections()
    await closed
    clearTimeout(cutOff)
    await closeNext().catch(() => undefined)
    process.exit(0)
  }
  const ask = () => {
    const now = Date.now()
    if (askedAt === null) {
      askedAt = now
      void stop()
    } else if (now - askedAt > SAME_REQUEST_MS) {
      process.exit(0)
    }
  }
  process.on('SIGTERM', ask)
  process.on('SIGINT', ask)
}
