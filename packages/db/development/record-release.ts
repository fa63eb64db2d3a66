import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrations } from '../src/migrate.ts'
import { recordRelease } from './previous-release.ts'

const manifest: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
)
recordRelease(manifest.version, await readMigrations(join(import.meta.dirname, '../prisma/migrations')))
