import { parseArgs } from 'node:util'
import { firstSettings } from '@meridian/contracts'
import {
  grantReportingRights,
  grantRuntimeRights,
  migrate,
  openDatabase,
  reportingRole,
  runtimeRole,
  seedDefaults,
} from '@meridian/db'
import { runMigrations } from 'graphile-worker'
import { readMigrationUrl } from '../config.ts'
import { runCommand } from './run-command.ts'

await runCommand('db:migrate', async () => {
  const { values } = parseArgs({
    options: {
      samples: { type: 'boolean', default: false },
      'limit-minutes': { type: 'string', default: '10' },
    },
    args: process.argv.slice(2),
  })
  const databaseUrl = readMigrationUrl(process.env)
  const { applied } = await migrate(databaseUrl, {
    limitMs: readMinutes(values['limit-minutes']) * 60_000,
    onProgress: (line) => process.stdout.write(`${line}\n`),
    alsoMigrate: (pgPool) => runMigrations({ pgPool }),
  })
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-migrate' })
  await seedDefaults(database.pool, { settings: firstSettings, samples: values.samples })
  if (!(await grantRuntimeRights(database.pool))) tellMissing(runtimeRole, 'docs/operations.md')
  if (!(await grantReportingRights(database.pool))) tellMissing(reportingRole, 'docs/reporting.md')
  process.stdout.write(
    applied.length === 0
      ? 'The database is up to date.\n'
      : `Applied ${applied.length}: ${applied.join(', ')}\n`,
  )
})

function tellMissing(role: string, page: string): void {
  process.stdout.write(`The role ${role} is missing and may not be made by this user: see ${page}\n`)
}

function readMinutes(text: string): number {
  const minutes = Number(text)
  if (minutes > 0 && minutes <= 7 * 24 * 60) return minutes
  throw new Error('--limit-minutes must be a number of minutes, more than 0 and at most a week')
}
