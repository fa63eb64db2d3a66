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

const inFolder = (name: string) => join(import.meta.dirname, '../previous-release', name)

export const readPreviousRelease = (): PreviousRelease =>
  JSON.parse(readFileSync(inFolder('release.json'), 'utf8'))

/** The migrations up to this one. */
export const migrationsUpTo = (last: string, all: readonly Migration[]): Migration[] =>
  all.filter(({ name }) => name <= last)

export const digestOf = (migrations: readonly Migration[]): string =>
  createHash('sha256')
    .update(migrations.map(({ checksum }) => checksum).join('\n'))
    .digest('hex')

/** Keeps what is released now for the release after it. */
export function recordRelease(release: {
  version: string
  migrations: readonly Migration[]
  /** By name, the statements that it prepares. */
  statements: Record<string, string>
}): void {
  const { version, migrations, statements } = release
  const lastMigration = migrations.at(-1)?.name ?? ''
  write('release.json', { version, lastMigration, digest: digestOf(migrations), reviewed: {} })
  write('statements.json', statements)
}

function write(name: string, content: PreviousRelease | Record<string, string>): void {
  writeFileSync(inFolder(name), `${JSON.stringify(content, null, 2)}\n`)
}
