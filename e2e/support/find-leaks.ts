import { openDatabase } from '@meridian/db'
import { z } from 'zod'
import type { Running } from './start-process.ts'

/** A value that nobody may read, under the name by which a finding tells of it. */
export type Secret = readonly [name: string, value: string]

/** Something that was written, and where. */
export type Written = { where: string; text: string }

/** A database of somebody’s own may have none, or a word that is found anywhere. */
const isTelling = ([, value]: Secret) => value.length >= 12

/** What of the settings of a program is secret. */
export function secretSettings(settings: Readonly<Record<string, string>>): Secret[] {
  const { password } = new URL(settings['DATABASE_URL'] ?? '')
  const named = Object.entries(settings).filter(([name]) => /_(SECRET|KEY|TOKEN)$/.test(name))
  return [...named, ['the database password', password] as const].filter(isTelling)
}

const SessionKeys = z.array(z.string())

/** What of a world the search needs: where its rows and its platform are, and what it was set up with. */
type Searched = { databaseUrl: string; sandboxUrl: string; secrets: readonly Secret[] }

/** Of a world: its settings, and what the platform signs users in with. */
export async function secretsOf({ sandboxUrl, secrets }: Omit<Searched, 'databaseUrl'>): Promise<Secret[]> {
  const answer = await fetch(`${sandboxUrl}/sandbox/virtual/session-keys`)
  const keys = SessionKeys.parse(await answer.json())
  return [...secrets, ...keys.map((key) => ['a session key', key] as const)]
}

/** Which secrets stand in what was written: names, never a value. */
export const leaksIn = (written: readonly Written[], secrets: readonly Secret[]): string[] =>
  written.flatMap(({ where, text }) =>
    secrets.filter(([, value]) => text.includes(value)).map(([name]) => `${where} has ${name}`),
  )

/** As a row of a table shows it: a column of bytes as hexadecimal digits. */
const asBytes = (value: string) => Buffer.from(value).toString('hex')

/** Which secrets stand in the rows of a database, in whatever table and column. */
export async function leaksInDatabase(databaseUrl: string, secrets: readonly Secret[]): Promise<string[]> {
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-e2e', maxConnections: 1 })
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  const either = secrets.flatMap(([name, value]): Secret[] => [
    [name, value],
    [name, asBytes(value)],
  ])
  const search = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS "where", t::text AS text FROM ${name} t
       WHERE EXISTS (SELECT FROM unnest($1::text[]) value WHERE strpos(t::text, value) > 0)`,
  )
  const { rows } = await database.pool.query<Written>(search.join(' UNION ALL '), [
    either.map(([, value]) => value),
  ])
  return [...new Set(leaksIn(rows, either))]
}

/**
 * Looks for the secrets of a world through everything that its programs wrote, and through its database.
 * @throws Error that names where and what, never a value
 */
export async function refuseLeaks(own: Searched, programs: readonly Running[]): Promise<void> {
  const secrets = await secretsOf(own)
  const logs = programs.map(({ file, output }) => ({ where: `the log of ${file}`, text: output() }))
  const found = [...leaksIn(logs, secrets), ...(await leaksInDatabase(own.databaseUrl, secrets))]
  if (found.length > 0) throw new Error(`A secret was written down: ${found.join(', ')}`)
}
