import { migrate, openDatabase, seedDefaults } from '@meridian/db'
import { startTestCluster } from '@meridian/db/testing'
import { runMigrations } from 'graphile-worker'

/** One throw-away PostgreSQL with a migrated, seeded template; each test world is a clone of it. */
export default async function startCluster() {
  const cluster = await startTestCluster({
    prepare: async (databaseUrl) => {
      await migrate(databaseUrl, { alsoMigrate: (connectionString) => runMigrations({ connectionString }) })
      await using database = openDatabase(databaseUrl)
      await seedDefaults(database.pool)
    },
  })
  return () => cluster.stop()
}
