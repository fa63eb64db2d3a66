import { type Pool, Prisma, run } from '@meridian/db'
import type { KeyReport, Payments } from '@meridian/payments'
import { enqueued } from '../jobs/enqueue-job.ts'

/**
 * Asks for a download of the platform's keys: at most one a minute, however many replicas ask.
 * Answers whether this call enqueued it.
 */
export async function askForKeys(pool: Pool): Promise<boolean> {
  const rows = await run(
    pool,
    'ask-for-keys',
    Prisma.sql`
      WITH asked AS (
        INSERT INTO key_refreshes (id) VALUES (1)
        ON CONFLICT (id) DO UPDATE SET asked_at = now() WHERE key_refreshes.asked_at < now() - interval '1 minute'
        RETURNING id)
      SELECT ${enqueued('refresh_keys', Prisma.sql`'{}'::json`, { key: Prisma.sql`'refresh_keys'` })} FROM asked`,
  )
  return rows.length === 1
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
    Prisma.sql`SELECT id, pem FROM platform_certificates WHERE expires_at IS NULL OR expires_at > now()`,
  )
  if (keys.length > 0) payments.adoptKeys(keys)
}
