import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrations } from '../src/read-migrations.ts'
import { findBlocking } from './find-blocking.ts'
import { readHistory } from './migration-history.ts'
import { diffSchemas } from './schema-drift.ts'

const head = `-- One transaction, tried again when it has waited 1.5 s for locks. Large tables are changed by the rules of CONTRIBUTING.md,
-- "Changing the tables" (packages/db/test/blocking.test.ts); indexes of theirs have a file of their own, outside a transaction.
`

export type NewMigration = {
  /** Holds schema.prisma and migrations/, in a git checkout. */
  prismaFolder: string
  name: string
  now: Date
  /** The git revision whose schema the migrations have built; HEAD by default. */
  from?: string
}

/**
 * Writes the migration that leads from the committed Prisma schema, which is what the committed migrations build
 * (test/schema-drift.test.ts), to the schema as it is. Answers the file.
 * @throws Error for a name that is not snake_case, beside a migration that is not committed, or when a later one exists
 */
export async function newMigration(databaseUrl: string, migration: NewMigration): Promise<string> {
  const { prismaFolder, from = 'HEAD' } = migration
  const folder = join(prismaFolder, 'migrations', nameFolder(migration))
  refuseUncommitted(prismaFolder)
  const sql = await diffSchemas(databaseUrl, {
    from: git(prismaFolder, ['show', `${from}:./schema.prisma`]),
    to: readFileSync(join(prismaFolder, 'schema.prisma'), 'utf8'),
  })
  mkdirSync(folder)
  const file = join(folder, 'migration.sql')
  writeFileSync(file, `${head}${sql}`)
  return file
}

/** What the newest migration has to be rewritten for: a line for each statement that could stop payments. */
export async function judgeNewest(prismaFolder: string): Promise<string[]> {
  const all = (await readMigrations(join(prismaFolder, 'migrations'))).map(({ sql }) => sql)
  return findBlocking(all.at(-1) ?? '', readHistory(all.slice(0, -1)))
}

// Migrations are applied in the order of their names.
function nameFolder({ prismaFolder, name, now }: NewMigration): string {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) throw new Error(`Not a name in snake_case: ${name}`)
  const folder = `${now.toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`
  const last = readdirSync(join(prismaFolder, 'migrations'))
    .filter((entry) => existsSync(join(prismaFolder, 'migrations', entry, 'migration.sql')))
    .sort()
    .at(-1)
  if (last !== undefined && last >= folder) throw new Error(`${folder} would come before ${last}`)
  return folder
}

function refuseUncommitted(prismaFolder: string): void {
  const changed = git(prismaFolder, ['status', '--porcelain', '--', 'migrations'])
  if (changed !== '')
    throw new Error(`The SQL leads from what is committed: commit or remove these first\n${changed}`)
}

function git(cwd: string, args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' })
}
