import { firstSettings } from '@meridian/contracts'
import { grantReportingRights, grantRuntimeRights, migrate, openDatabase, seedDefaults } from '@meridian/db'
import { runMigrations } from 'graphile-worker'

/** What `db:migrate` does to an empty database. */
export async function prepareDatabase(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, { alsoMigrate: (pgPool) => runMigrations({ pgPool }) })
  await using database = openDatabase(databaseUrl)
  await seedDefaults(database.pool, { settings: firstSettings })
  await grantRuntimeRights(database.pool)
  await grantReportingRights(database.pool)
}
