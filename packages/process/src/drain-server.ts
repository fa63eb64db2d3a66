import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections on which nothing was asked yet: Node takes them for busy ones, and closing would wait for them. */
export function watchSilentConnections(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}

export type Stop = {
  /** Ends what runs; the process then exits with 0, and with 1 where it throws. */
  stop: (signal: NodeJS.Signals) => Promise<void>
  /** How long that may take, in milliseconds, before the process exits with 1 all the same. */
  withinMs: number
  onFailure: (error: unknown) => void
}

/** A terminal and npm each pass on the same Ctrl-C. */
const sameRequestMs = 5_000

/**
 * Ends the process in order on SIGTERM or SIGINT. Another signal within five seconds is the same request; a later one
 * ends the process at once, with 1.
 */
export function stopOnSignal({ stop, withinMs, onFailure }: Stop): void {
  let askedAt: number | null = null
  const ask = (signal: NodeJS.Signals) => {
    if (askedAt !== null) {
      if (performance.now() - askedAt > sameRequestMs) process.exit(1)
      return
    }
    askedAt = performance.now()
    setTimeout(() => process.exit(1), withinMs).unref()
    stop(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        onFailure(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', ask)
  process.on('SIGINT', ask)
}
