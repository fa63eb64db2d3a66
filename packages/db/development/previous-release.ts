import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Migration } from '../src/index.ts'

/** What is kept of the previous release: its migrations, which are still here, build its schema. */
export type PreviousRelease = {
  version: string
  lastMigration: string
  /** SHA-256 over the checksums of its migrations, in order. */
  digest: string
  /** By object, why the previous release runs on it all the same, although `findNarrowing` cannot know. */
  reviewed: Record<string, string>
}

const file = join(import.meta.dirname, '../prisma/previous-release.json')

export const readPreviousRelease = (): PreviousRelease => JSON.parse(readFileSync(file, 'utf8'))

/** The migrations up to this one. */
export const migrationsUpTo = (last: string, all: readonly Migration[]): Migration[] =>
  all.filter(({ name }) => name <= last)

export const digestOf = (migrations: readonly Migration[]): string =>
  createHash('sha256')
    .update(migrations.map(({ checksum }) => checksum).join('\n'))
    .digest('hex')

/** Keeps what is released now for the release after it. */
export function recordRelease(version: string, migrations: readonly Migration[]): void {
  const lastMigration = migrations.at(-1)?.name ?? ''
  const release: PreviousRelease = { version, lastMigration, digest: digestOf(migrations), reviewed: {} }
  writeFileSync(file, `${JSON.stringify(release, null, 2)}\n`)
}
