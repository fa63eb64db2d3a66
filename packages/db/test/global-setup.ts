import { migrate, openPool, seedDefaults } from '../src/index.ts'
import { startTestCluster } from '../src/testing/index.ts'

export default async function setUp(): Promise<() => Promise<void>> {
  const cluster = await startTestCluster({ prepare })
  return cluster.stop
}

async function prepare(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl)
  const pool = openPool(databaseUrl)
  await seedDefaults(pool, { settings: {} })
  await pool.end()
}
