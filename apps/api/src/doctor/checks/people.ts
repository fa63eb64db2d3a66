import { column, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { type Check, fault, type Seen, warning, well } from '../finding.ts'
import { company } from './company.ts'

const ownerColumns = { owners: column.integer, proven: column.integer, firstPasswords: column.integer }

const owners: Check = {
  about: 'owners',
  needsDatabase: true,
  look: async ({ services: { database } }) => {
    const [row] = await execute(
      database.pool,
      query(
        null,
        Prisma.sql`
        SELECT count(*)::int AS owners, count(*) FILTER (WHERE totp_confirmed_at IS NOT NULL)::int AS proven,
          count(*) FILTER (WHERE must_change_password)::int AS "firstPasswords"
        FROM operators WHERE role = 'owner' AND disabled_at IS NULL`,
        ownerColumns,
      ),
    )
    const { owners: count = 0, proven = 0, firstPasswords = 0 } = row ?? {}
    return [
      count < 2
        ? fault(
            `there is ${count === 0 ? 'no owner' : 'one owner only'}: nobody can confirm what needs two, or let the other in again`,
            'npm run operator:create -- --email … --role owner',
          )
        : well(`${count} owners`),
      ...(count > proven
        ? [
            warning(
              `${count - proven} of them without two-step verification`,
              'console, My account, set up two-step verification',
            ),
          ]
        : []),
      ...(firstPasswords > 0
        ? [fault(`${firstPasswords} of them with their first password`, 'sign in once and choose another')]
        : []),
    ]
  },
}

const backupColumns = { finishedAt: nullable(column.instant), verifiedAt: nullable(column.instant) }
const archiveColumns = {
  mode: column.text,
  archivedAt: nullable(column.instant),
  failedAt: nullable(column.instant),
}
const hourMs = 3_600_000
const daily = 'npm run db:backup -- --verify, daily (docs/backups.md)'

const newestBackup = (pool: Pool) =>
  execute(
    pool,
    query(
      null,
      Prisma.sql`SELECT max(finished_at) AS "finishedAt", max(verified_at) AS "verifiedAt" FROM backups`,
      backupColumns,
    ),
  )

/** Of a PostgreSQL of one's own only its archive of changes can be seen from here. */
async function judgeArchive(pool: Pool): Promise<Seen[]> {
  const [archive] = await execute(
    pool,
    query(
      null,
      Prisma.sql`SELECT current_setting('archive_mode') AS mode, last_archived_time AS "archivedAt",
        last_failed_time AS "failedAt" FROM pg_stat_archiver`,
      archiveColumns,
    ),
  )
  const pgbackrest = 'pgbackrest --stanza=meridian check (docs/backups.md)'
  if (!archive || archive.mode === 'off' || !archive.archivedAt)
    return [warning('none is known here, and PostgreSQL archives no changes', `${daily}, or pgBackRest`)]
  const { archivedAt, failedAt } = archive
  if (failedAt && failedAt > archivedAt)
    return [fault('PostgreSQL archives its changes no longer: the last try failed', pgbackrest)]
  return [
    well(`PostgreSQL archived its last change at ${archivedAt.toISOString()}`),
    warning('whether there is a base backup is known to its tool alone', 'pgbackrest --stanza=meridian info'),
  ]
}

const backups: Check = {
  about: 'backups',
  needsDatabase: true,
  look: async ({ services: { database }, now }) => {
    const [row] = await newestBackup(database.pool)
    if (!row?.finishedAt) return judgeArchive(database.pool)
    const hours = Math.max(0, Math.floor((now.getTime() - row.finishedAt.getTime()) / hourMs))
    return [
      hours > 26
        ? fault(`the newest is ${hours} hours old`, daily)
        : well(`the newest is ${hours} hours old`),
      row.verifiedAt
        ? well(`one was restored and proved on ${row.verifiedAt.toISOString().slice(0, 10)}`)
        : warning('none was ever restored', 'npm run db:backup -- --verify'),
    ]
  },
}

export const peopleChecks: readonly Check[] = [owners, company, backups]
