import { migrate, openDatabase, seedDefaults } from '@meridian/db'
import { runMigrations } from 'graphile-worker'
import { readDatabaseUrl } from '../config.ts'
import { runCommand } from '../run-command.ts'

await runCommand('db:migrate', async () => {
  const databaseUrl = readDatabaseUrl(process.env)
  const { applied } = await migrate(databaseUrl, {
    alsoMigrate: (connectionString) => runMigrations({ connectionString }),
  })
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-migrate' })
  await seedDefaults(database.pool)
  process.stdout.write(
    applied.length === 0
      ? 'The database is up to date.\n'
      : `Applied ${applied.length}: ${applied.join(', ')}\n`,
  )
})
