import { column, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { type Check, fault, warning, well } from '../finding.ts'

const ownerColumns = { owners: column.integer, proven: column.integer, firstPasswords: column.integer }

const owners: Check = {
  about: 'owners',
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
const hourMs = 3_600_000

const newestBackup = (pool: Pool) =>
  execute(
    pool,
    query(
      null,
      Prisma.sql`SELECT max(finished_at) AS "finishedAt", max(verified_at) AS "verifiedAt" FROM backups`,
      backupColumns,
    ),
  )

/** Only of the embedded database it is known here; of one's own its tools know. */
const backups: Check = {
  about: 'backups',
  look: async ({ services: { database }, now }) => {
    const [row] = await newestBackup(database.pool)
    if (!row?.finishedAt)
      return [
        warning(
          'none of the embedded database was ever made',
          'npm run db:backup -- --verify daily; pgBackRest for your own PostgreSQL (docs/backups.md)',
        ),
      ]
    const hours = Math.floor((now.getTime() - row.finishedAt.getTime()) / hourMs)
    return [
      hours > 26
        ? fault(`the newest is ${hours} hours old`, 'npm run db:backup -- --verify, daily')
        : well(`the newest is ${hours} hours old`),
      row.verifiedAt
        ? well(`one was restored and proved on ${row.verifiedAt.toISOString().slice(0, 10)}`)
        : warning('none was ever restored', 'npm run db:backup -- --verify'),
    ]
  },
}

const channelColumns = { host: column.text, lastSuccessAt: nullable(column.instant), failing: column.boolean }

const alarms: Check = {
  about: 'alarms',
  look: async ({ services: { config, database } }) => {
    const { channels, heartbeatUrl } = config.alerts
    const deadMan = heartbeatUrl
      ? well('a dead man’s switch is called every minute')
      : warning('nobody notices when everything is down', 'set ALERT_HEARTBEAT_URL')
    if (channels.length === 0)
      return [fault('alerts stay in the console: nobody is told of an outage', 'set ALERT_CHANNELS'), deadMan]
    const known = await execute(
      database.pool,
      query(
        null,
        Prisma.sql`
        SELECT host, last_success_at AS "lastSuccessAt", failures > 0 AS failing FROM alert_channels
        WHERE configured AND id = ANY(${channels.map(({ id }) => id)}) ORDER BY position`,
        channelColumns,
      ),
    )
    const proven = known.flatMap(({ host, lastSuccessAt, failing }) => {
      if (failing)
        return [fault(`${host} fails`, 'console, Alerts, Channels: its last error, then send a test')]
      return lastSuccessAt ? [well(`${host} took a message`)] : []
    })
    return [
      ...(known.some(({ lastSuccessAt }) => lastSuccessAt !== null)
        ? []
        : [fault('no channel ever took a message', 'console, Alerts, Channels: send a test')]),
      ...proven,
      deadMan,
    ]
  },
}

const workers: Check = {
  about: 'workers',
  look: async ({ services: { database } }) => {
    const [row] = await execute(
      database.pool,
      query(
        null,
        Prisma.sql`SELECT count(*)::int AS alive FROM worker_heartbeats WHERE seen_at > business_now() - interval '60 seconds'`,
        { alive: column.integer },
      ),
    )
    return [
      row?.alive
        ? well('jobs are being worked on')
        : fault('no worker has shown life for a minute', 'start a process of role worker or all'),
    ]
  },
}

export const peopleChecks: readonly Check[] = [owners, backups, alarms, workers]
