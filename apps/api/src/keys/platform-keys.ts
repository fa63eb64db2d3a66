import { column, execute, type Pool, Prisma, part, query, reading, rowsOf, statement } from '@meridian/db'
import type { KeyReport, Payments } from '@meridian/payments'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { enqueueJobPart, jobPayloadSql } from '../jobs/job-table.ts'
import type { Services } from '../services.ts'

const askedEveryMs = 60_000

const refreshJob = {
  job: 'refresh_keys',
  payload: jobPayloadSql('refresh_keys', {}),
  key: Prisma.sql`'refresh_keys'`,
} as const

/**
 * Asks for a download of the platform's keys: at most one a minute, however many replicas ask.
 * Answers in how many milliseconds the next one may be asked for: a minute where this call enqueued it, else what is
 * left of the minute since somebody did.
 */
export async function askForKeys(pool: Pool): Promise<number> {
  const asked = Prisma.sql`
    INSERT INTO key_refreshes (id) VALUES (1)
    ON CONFLICT (id) DO UPDATE SET asked_at = business_now() WHERE key_refreshes.asked_at < business_now() - interval '1 minute'
    RETURNING id`
  const answer = Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM asked) AS asked,
      coalesce((SELECT extract(epoch FROM asked_at + interval '1 minute' - business_now()) * 1000 FROM key_refreshes), 0)::float8 AS "leftMs"`
  const asking = statement({
    name: 'ask-for-keys',
    parts: [part('asked', [], asked), enqueueJobPart('refresh', rowsOf('asked'), refreshJob)],
    select: reading(['asked'], answer),
    rows: { asked: column.boolean, leftMs: column.real },
  })
  const [row] = await execute(pool, asking)
  if (!row || row.asked) return askedEveryMs
  return Math.max(0, row.leftMs)
}

/** Keeps what was downloaded, so that every replica can take it over. */
async function keepKeys(pool: Pool, { keys }: KeyReport): Promise<void> {
  const downloaded = keys.filter(({ source }) => source === 'download')
  for (const { id, pem, expiresAt } of downloaded)
    await execute(
      pool,
      query(
        'keep-key',
        Prisma.sql`
        INSERT INTO platform_certificates (id, pem, expires_at) VALUES (${id}, ${pem}, ${expiresAt}::timestamptz)
        ON CONFLICT (id) DO UPDATE SET pem = excluded.pem, expires_at = excluded.expires_at`,
      ),
    )
}

/**
 * Downloads the platform's keys into this process and shares them.
 * @throws PaymentsError when the platform does not answer; the old keys stay
 */
export async function refreshKeys(pool: Pool, payments: Payments): Promise<void> {
  await keepKeys(pool, await payments.refreshKeys())
}

/** Takes over what other replicas downloaded and what is not past its end. */
async function adoptSharedKeys(pool: Pool, payments: Payments): Promise<void> {
  const keys = await execute(
    pool,
    query(
      'list-shared-keys',
      Prisma.sql`SELECT id, pem FROM platform_certificates WHERE expires_at IS NULL OR expires_at > business_now()`,
      { id: column.text, pem: column.text },
    ),
  )
  if (keys.length > 0) payments.adoptKeys(keys)
}

/** The certificate with this serial that some replica once downloaded, also when its time is over. */
export const findOlderKeys = (pool: Pool, serial: string): Promise<{ id: string; pem: string }[]> =>
  execute(
    pool,
    query('find-older-keys', Prisma.sql`SELECT id, pem FROM platform_certificates WHERE id = ${serial}`, {
      id: column.text,
      pem: column.text,
    }),
  )

const lookEveryMs = 15_000

type FreshKeys = {
  /** A message named a key that is not in the ring: the platform's repeat shall find it. */
  missed: () => void
  stop: () => void
}

/**
 * Where keys are downloaded, keeps this process's ring in step with what any replica downloaded. A stranger's serial
 * costs at most one small statement a minute: this process waits as long as the shared minute still lasts, no longer.
 */
export function keepKeysFresh({ payments, database, log }: Services): FreshKeys {
  if (!payments?.keyReport().downloadKeys) return { missed: () => undefined, stop: () => undefined }
  const { pool } = database
  let nextAskAt = Number.NEGATIVE_INFINITY
  let asking = false
  const quietly = (work: () => Promise<unknown>) => {
    work().catch((error: unknown) =>
      log.warn({ reason: String(error) }, 'platform keys could not be refreshed'),
    )
  }
  const ask = () => {
    if (asking || performance.now() < nextAskAt) return
    asking = true
    quietly(async () => {
      try {
        nextAskAt = performance.now() + (await askForKeys(pool))
      } finally {
        asking = false
      }
    })
  }
  const look = () => quietly(() => adoptSharedKeys(pool, payments))
  look()
  if (payments.keyReport().keys.length === 0) ask()
  const timer = setInterval(look, lookEveryMs)
  return { missed: ask, stop: () => clearInterval(timer) }
}

/** Beyond five minutes nothing verifies any more: somebody must know long before (acceptance rule 21). */
const tolerableSkewMs = 60_000

/** Raises an alert while our clock is not the platform's, as the last answer to this process showed it. */
export async function watchClock(
  pool: Pool,
  { clockSkewMs, platformHost }: Pick<Payments, 'clockSkewMs' | 'platformHost'>,
): Promise<void> {
  const skewMs = clockSkewMs()
  if (skewMs === null || Math.abs(skewMs) <= tolerableSkewMs) return
  await execute(pool, query('raise-clock-skew', raiseAlertSql('clock_skewed', platformHost, { skewMs })))
}
