import { Redis } from 'ioredis'

/** Whether replicas share their limits, and since when it is so. */
export type Sharing = { configured: boolean; up: boolean; since: Date }

type Watch = (sharing: Sharing & { reason?: string }) => void

// Long enough that a pause of our own process is not taken for one of Redis; the circuit makes it one call that waits.
const commandTimeoutMs = 1000
const probeEveryMs = 1000
const answersWithinMs = commandTimeoutMs

const connect = (url: string) =>
  new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    commandTimeout: commandTimeoutMs,
    retryStrategy: (times) => Math.min(times * 100, 2000),
  })

/**
 * The Redis that replicas count in together, behind a circuit: a command that fails or takes longer than a second opens
 * it, and then no call waits for Redis any more until it has answered a probe, which is sent once a second.
 */
export function openSharedCounters(url: string, watch: Watch) {
  const redis = connect(url)
  let state: Sharing = { configured: true, up: false, since: new Date() }
  let said = false
  let closed = false
  let probing: NodeJS.Timeout | null = null

  const become = (up: boolean, reason?: string) => {
    if (closed || (said && state.up === up)) return
    said = true
    state = { configured: true, up, since: state.up === up ? state.since : new Date() }
    watch({ ...state, ...(reason && { reason }) })
  }
  const stopProbing = () => {
    if (probing) clearTimeout(probing)
    probing = null
  }
  const closeCircuit = () => {
    stopProbing()
    become(true)
  }
  const probe = async () => {
    probing = null
    const asked = Date.now()
    try {
      if (redis.status === 'ready') await redis.ping()
      if (redis.status === 'ready' && Date.now() - asked < answersWithinMs) return closeCircuit()
    } catch {
      // A connection that takes commands and answers none is given up for a new one.
      if (redis.status === 'ready') redis.disconnect(true)
    }
    return probeLater()
  }
  const probeLater = () => {
    if (!closed) probing ??= setTimeout(() => void probe(), probeEveryMs).unref()
  }
  const openCircuit = (reason: string) => {
    become(false, reason)
    probeLater()
  }
  redis.on('ready', closeCircuit)
  redis.on('error', (error) => openCircuit(error.message))
  redis.on('close', () => openCircuit('connection closed'))
  return {
    redis,
    sharing: () => state,
    isUp: () => state.up && redis.status === 'ready',
    failed: (error: unknown) => openCircuit(error instanceof Error ? error.message : 'no answer'),
    close: () => {
      closed = true
      stopProbing()
      redis.disconnect()
    },
  }
}
