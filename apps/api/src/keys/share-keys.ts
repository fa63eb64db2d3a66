import { type Pool, Prisma, run } from '@meridian/db'
import type { KeyReport, Payments } from '@meridian/payments'
import { enqueueJobSql } from '../jobs/enqueue-job.ts'

const askedEveryMs = 60_000

/**
 * Asks for a download of the platform's keys: at most one a minute, however many replicas ask.
 * Answers in how many milliseconds the next one may be asked for: a minute where this call enqueued it, else what is
 * left of the minute since somebody did.
 */
export async function askForKeys(pool: Pool): Promise<number> {
  const [row] = await run<{ asked: boolean; leftMs: number }>(
    pool,
    'ask-for-keys',
    Prisma.sql`
      WITH asked AS (
        INSERT INTO key_refreshes (id) VALUES (1)
        ON CONFLICT (id) DO UPDATE SET asked_at = business_now() WHERE key_refreshes.asked_at < business_now() - interval '1 minute'
        RETURNING id)
      SELECT EXISTS (SELECT 1 FROM asked) AS asked,
        coalesce((SELECT extract(epoch FROM asked_at + interval '1 minute' - business_now()) * 1000 FROM key_refreshes), 0)::float8 AS "leftMs",
        (SELECT ${enqueueJobSql('refresh_keys', Prisma.sql`'{}'::json`, { key: Prisma.sql`'refresh_keys'` })} FROM asked) AS job`,
  )
  if (!row || row.asked) return askedEveryMs
  return Math.max(0, row.leftMs)
}

/** Keeps what was downloaded, so that every replica can take it over. */
async function keepKeys(pool: Pool, { keys }: KeyReport): Promise<void> {
  const downloaded = keys.filter(({ source }) => source === 'download')
  for (const { id, pem, expiresAt } of downloaded)
    await run(
      pool,
      'keep-key',
      Prisma.sql`
        INSERT INTO platform_certificates (id, pem, expires_at) VALUES (${id}, ${pem}, ${expiresAt}::timestamptz)
        ON CONFLICT (id) DO UPDATE SET pem = excluded.pem, expires_at = excluded.expires_at`,
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
export async function adoptSharedKeys(pool: Pool, payments: Payments): Promise<void> {
  const keys = await run<{ id: string; pem: string }>(
    pool,
    'list-shared-keys',
    Prisma.sql`SELECT id, pem FROM platform_certificates WHERE expires_at IS NULL OR expires_at > business_now()`,
  )
  if (keys.length > 0) payments.adoptKeys(keys)
}
