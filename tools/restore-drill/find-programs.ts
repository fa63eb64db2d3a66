import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export type Programs = {
  /** The folder that holds PostgreSQL's `bin`. */
  postgres: string
  pgbackrest: string
}

/** The programs that a drill needs, or what is missing and which package has it. */
export function findPrograms({ postgres, path }: { postgres: string; path: string }): Programs | string[] {
  const pgbackrest = path
    .split(delimiter)
    .map((folder) => join(folder, 'pgbackrest'))
    .find((file) => existsSync(file))
  const missing = [
    ...(existsSync(join(postgres, 'bin/postgres'))
      ? []
      : [`${postgres}/bin/postgres (Debian: postgresql-15)`]),
    ...(pgbackrest ? [] : ['pgbackrest (Debian: pgbackrest)']),
  ]
  return pgbackrest && missing.length === 0 ? { postgres, pgbackrest } : missing
}
