import { parseArgs } from 'node:util'
import { firstSettings } from '@meridian/contracts'
import { grantRuntimeRights, migrate, openDatabase, runtimeRole, seedDefaults } from '@meridian/db'
import { runMigrations } from 'graphile-worker'
import { readMigrationUrl } from '../config.ts'
import { runCommand } from './run-command.ts'

await runCommand('db:migrate', async () => {
  const { values } = parseArgs({
    options: { samples: { type: 'boolean', default: false } },
    args: process.argv.slice(2),
  })
  const databaseUrl = readMigrationUrl(process.env)
  const { applied } = await migrate(databaseUrl, {
    alsoMigrate: (connectionString) => runMigrations({ connectionString }),
  })
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-migrate' })
  await seedDefaults(database.pool, { settings: firstSettings, samples: values.samples })
  if (!(await grantRuntimeRights(database.pool)))
    process.stdout.write(
      `The role ${runtimeRole} is missing and may not be made by this user: see docs/operations.md\n`,
    )
  process.stdout.write(
    applied.length === 0
      ? 'The database is up to date.\n'
      : `Applied ${applied.length}: ${applied.join(', ')}\n`,
  )
})
