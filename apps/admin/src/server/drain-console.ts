import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { stopOnSignal, watchSilentConnections } from '@meridian/process/drain-server'
import { writeLog } from '../log.ts'
import type { Readiness } from './answer-health.ts'

export type Draining = {
  server: Server
  readiness: Readiness
  /** How long it still takes requests after it has said that it wants no more: a balancer has to notice. */
  drainMs: number
  closeNext: () => Promise<void>
}

/** For what is under way when the server closes, as the API has it. */
const patienceMs = 25_000
/** Then who is still being answered is cut off, so that Next has the rest of the time to close. */
const cutOffMs = 20_000

/** Whoever is answered while the program drains asks the next time on another connection, of another console. */
export function sendElsewhere(server: Server, readiness: Readiness): void {
  server.on('request', (_request, response) => {
    response.once('finish', () => readiness.draining && !server.listening && server.closeIdleConnections())
    if (readiness.draining) response.setHeader('Connection', 'close')
  })
}

/** Not ready any more, then finish what is under way, then let go. */
export async function drainConsole(draining: Draining, silent: ReadonlySet<Socket>): Promise<void> {
  const { server, readiness, drainMs, closeNext } = draining
  readiness.draining = true
  await delay(drainMs)
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  for (const socket of silent) socket.destroy()
  const cutOff = setTimeout(() => server.closeAllConnections(), cutOffMs)
  await closed
  clearTimeout(cutOff)
  await closeNext().catch(() => undefined)
}

/** Ends the program in order on SIGTERM or SIGINT. */
export function drainOnSignal(draining: Draining): void {
  const silent = watchSilentConnections(draining.server)
  sendElsewhere(draining.server, draining.readiness)
  stopOnSignal({
    withinMs: patienceMs + draining.drainMs,
    stop: (signal) => {
      writeLog('info', 'draining', { signal })
      return drainConsole(draining, silent)
    },
    onFailure: (error) =>
      writeLog('error', 'drain failed', { reason: error instanceof Error ? error.message : 'unknown' }),
  })
}
