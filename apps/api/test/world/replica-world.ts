import { asProgram, startTestCluster } from '@meridian/db/testing'
import { canConnect, startReplica } from '@meridian/embedded-postgres/testing'
import { vi } from 'vitest'
import { openDatabaseGate } from './database-gate.ts'
import { prepareDatabase } from './prepare-database.ts'
import { openTestWorld, type WorldOptions } from './test-world.ts'

const at = (serverUrl: string, databaseUrl: string) => {
  const address = new URL(serverUrl)
  address.pathname = new URL(databaseUrl).pathname
  return address.href
}

/** A server of its own with a replica that streams from it, and a world that reads from both, each behind a gate. */
export async function openReplicaWorld(options: WorldOptions = {}) {
  const cluster = await startTestCluster({ prepare: prepareDatabase })
  const replica = await startReplica(cluster.address)
  const environment: Record<string, string> = { MERIDIAN_ROLE: 'api', ...options.environment }
  let replicaUrl = ''
  let primaryGate: Awaited<ReturnType<typeof openDatabaseGate>> | undefined
  let replicaGate: Awaited<ReturnType<typeof openDatabaseGate>> | undefined
  const world = await openTestWorld({
    ...options,
    environment,
    through: async (databaseUrl) => {
      replicaUrl = at(replica.databaseUrl, databaseUrl)
      await vi.waitUntil(() => canConnect(replicaUrl), { timeout: 60_000 })
      primaryGate = await openDatabaseGate(databaseUrl)
      replicaGate = await openDatabaseGate(replicaUrl)
      environment['DATABASE_READ_URL'] = asProgram(replicaGate.databaseUrl)
      return primaryGate.databaseUrl
    },
  })
  if (!primaryGate || !replicaGate) throw new Error('a world that was led through no gate')
  const isUsed = (used: boolean) =>
    vi.waitUntil(() => world.services.replica?.isFresh() === used, { timeout: 60_000 })
  await isUsed(true)
  return {
    world,
    replica,
    primaryGate,
    replicaGate,
    replicaUrl,
    isUsed,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      await replica.stop()
      await cluster.stop()
    },
  }
}
