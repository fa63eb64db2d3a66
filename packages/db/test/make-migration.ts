import { createHash } from 'node:crypto'
import type { Migration } from '../src/index.ts'

export function migration(name: string, sql: string): Migration {
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}
