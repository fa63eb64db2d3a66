import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgeNewest, newMigration } from '../development/new-migration.ts'
import { emptyDatabase } from './empty-database.ts'

const schemaFile = join(import.meta.dirname, '../prisma/schema.prisma')
const now = new Date('2030-01-02T03:04:05.678Z')

/** A checkout whose schema is committed with one migration. */
function checkout() {
  const prismaFolder = mkdtempSync(join(tmpdir(), 'meridian-new-migration-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: prismaFolder, stdio: 'ignore' })
  const schema = join(prismaFolder, 'schema.prisma')
  const earlier = join(prismaFolder, 'migrations/20290101000000_earlier')
  cpSync(schemaFile, schema)
  mkdirSync(earlier, { recursive: true })
  writeFileSync(join(earlier, 'migration.sql'), '')
  git('init')
  git('add', '.')
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '-m', 'test')
  return {
    prismaFolder,
    change(from: string, to: string) {
      writeFileSync(schema, readFileSync(schema, 'utf8').replace(from, to))
    },
    [Symbol.dispose]: () => rmSync(prismaFolder, { recursive: true }),
  }
}

test('a migration is written from what changed in the schema since the commit', async () => {
  await using database = await emptyDatabase()
  using here = checkout()
  here.change('nickname   String?', 'nickname   String?\n  surname String?')
  const asked = { prismaFolder: here.prismaFolder, name: 'add_surname', now }
  const file = await newMigration(database.databaseUrl, asked)
  expect(file).toBe(join(here.prismaFolder, 'migrations/20300102030405_add_surname/migration.sql'))
  const sql = readFileSync(file, 'utf8')
  expect(sql).toMatch(/^-- One transaction, .*\n-- "Changing the tables" .*\n-- AlterTable\n/)
  expect(sql.split('-- AlterTable')[1]?.trim()).toBe('ALTER TABLE "users" ADD COLUMN     "surname" TEXT;')
  expect(await judgeNewest(here.prismaFolder)).toEqual([])
  await expect(newMigration(database.databaseUrl, { ...asked, name: 'second' })).rejects.toThrow(
    'commit or remove these first\n?? migrations/20300102030405_add_surname/',
  )
})

test('what the difference would stop payments with is told at once', async () => {
  await using database = await emptyDatabase()
  using here = checkout()
  here.change('@@index([amountFen, id])', '@@index([amountFen, id])\n  @@index([amountFen, userId])')
  await newMigration(database.databaseUrl, { prismaFolder: here.prismaFolder, name: 'add_index', now })
  expect(await judgeNewest(here.prismaFolder)).toEqual([
    expect.stringContaining('nobody can write to orders while the index is built: make it CONCURRENTLY'),
  ])
})

test('without a change the file is there to be written by hand', async () => {
  await using database = await emptyDatabase()
  using here = checkout()
  const asked = { prismaFolder: here.prismaFolder, name: 'by_hand', now, from: 'HEAD' }
  expect(readFileSync(await newMigration(database.databaseUrl, asked), 'utf8')).toContain('empty migration')
})

test.each([
  ['Add Surname', now, 'Not a name in snake_case: Add Surname'],
  ['late', new Date('2028-12-31T23:59:59Z'), '20281231235959_late would come before 20290101000000_earlier'],
])('a name that cannot be is refused: %s', async (name, at, told) => {
  using here = checkout()
  const failure = newMigration('postgresql://unused', { prismaFolder: here.prismaFolder, name, now: at })
  await expect(failure).rejects.toThrow(told)
})
