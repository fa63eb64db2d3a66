import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '@meridian/db'
import { patienceMs, postWith } from '../../platform/network/post-message.ts'
import type { Services } from '../../services.ts'
import { registerChannels, releaseLease, takeLease } from './hold-lease.ts'
import type { NewsSource } from './other-news.ts'
import { callHeartbeat, heartbeatCard, watchDatabase } from './outage-alarms.ts'
import { sendWith } from './send-message.ts'
import { openSender } from './send-to-channel.ts'

export type Timing = {
  /** How often the lease is renewed and every channel looks for what it has not been sent. */
  everyMs: number
  /** How often every channel looks for what is told beside alerts, each look being a statement for each source. */
  sourcesEveryMs: number
  /** How long a holder that says nothing more keeps the lease. */
  leaseSeconds: number
  /** The first pause of a channel that fails; each further one is twice as long. */
  pauseSeconds: number
  /** How long the database may be unreachable before an alert of it is sent. */
  unreachableMs: number
}

const usual: Timing = {
  everyMs: 3_000,
  sourcesEveryMs: 20_000,
  leaseSeconds: 18,
  pauseSeconds: 5,
  unreachableMs: 45_000,
}

/** When a lease that is taken now ends at the latest, by this machine's clock that never jumps. */
const endOf = (leaseSeconds: number) => performance.now() + leaseSeconds * 1000

/** Repeats a piece of work until stopped. What fails is told once and tried again at every turn. */
async function repeat(
  work: () => Promise<void>,
  {
    everyMs,
    stopping,
    onFailure,
  }: { everyMs: number; stopping: AbortSignal; onFailure: (reason: string) => void },
): Promise<void> {
  let failing = false
  while (!stopping.aborted) {
    failing = await work().then(
      () => false,
      (error: unknown) => {
        if (!failing) onFailure(String(error))
        return true
      },
    )
    await delay(everyMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** The lease as this process sees it. */
function leaseOf({ config }: Services, pool: Pool, { leaseSeconds }: Timing) {
  const candidate = { holder: randomUUID(), role: config.MERIDIAN_ROLE }
  const { channels, heartbeatUrl } = config.alerts
  const cards = [...channels, ...(heartbeatUrl ? [heartbeatCard(heartbeatUrl)] : [])]
  let heldUntil = 0
  let registered = false
  const renew = async () => {
    const until = endOf(leaseSeconds)
    const held = await takeLease(pool, candidate, leaseSeconds)
    if (held && !registered) await registerChannels(pool, cards)
    registered = held
    heldUntil = held ? until : 0
    return held
  }
  return {
    renew,
    /** Long enough for one message to end, or not at all. */
    isHeld: () => heldUntil - performance.now() > patienceMs,
    release: async () => {
      if (heldUntil > 0) await releaseLease(pool, candidate.holder)
      heldUntil = 0
    },
  }
}

/**
 * Sends alerts while this process holds the lease, whatever its role. Its connection is that of alarms: requests and
 * jobs that take every other one must not silence the alarm about them. Without a channel it does nothing. `sources` find
 * what is told beside alerts.
 */
export function keepAlertsSent(
  services: Services,
  { sources = [], ...timing }: Partial<Timing> & { sources?: readonly NewsSource[] } = {},
): { stop: () => Promise<void> } {
  const { config, log, alarmPool: pool } = services
  const { channels, heartbeatUrl, allowPrivate } = config.alerts
  if (channels.length === 0 && !heartbeatUrl) return { stop: async () => undefined }
  const times = { ...usual, ...timing }
  const lease = leaseOf(services, pool, times)
  const send = sendWith(services)
  const database = watchDatabase({
    channels,
    send,
    consoleUrl: config.CONSOLE_URL,
    patienceMs: times.unreachableMs,
    clock: services.runtime.now,
  })
  const renew = () => lease.renew().then(database.reached, database.missed)
  const sender = {
    pool,
    send,
    consoleUrl: config.CONSOLE_URL,
    maySend: lease.isHeld,
    pauseSeconds: times.pauseSeconds,
    sources,
    sourcesEveryMs: times.sourcesEveryMs,
  }
  const post = postWith(allowPrivate ? 'inside' : 'public')
  const beat = async () => {
    if (heartbeatUrl && lease.isHeld()) await callHeartbeat({ pool, post, url: heartbeatUrl })
  }
  const stopping = new AbortController()
  const onFailure = (reason: string) => log.warn({ component: 'alerts', reason }, 'alerts wait')
  const loops = [renew, beat, ...channels.map((channel) => openSender(channel, sender))].map((work) =>
    repeat(work, { everyMs: times.everyMs, stopping: stopping.signal, onFailure }),
  )
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
      await lease.release().catch(() => undefined)
    },
  }
}
