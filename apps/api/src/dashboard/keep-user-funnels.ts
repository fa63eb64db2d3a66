import { daysOfPreset } from '@meridian/contracts'
import { execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { inTransaction } from '../platform/sql/transaction.ts'
import { todayInChina } from './days.ts'
import { countUserFunnel } from './show-user-funnel.ts'

const { sql } = Prisma

/** What takes longer is kept; what does not is counted for whoever asks, and exact to the second. */
const worthKeepingMs = 500

const presets = ['lastWeek', 'lastMonth', 'lastQuarter'] as const

/** One at a time, with as much memory and time as a hundred million rows need: nobody waits for it. */
async function count(client: PoolClient, range: { from: string; to: string }) {
  await client.query(`SET LOCAL statement_timeout = '2min'; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off`)
  const started = performance.now()
  const counted = await countUserFunnel(client, range)
  return { counted, tookMs: performance.now() - started }
}

/** Counts the way of users through the days that the overview offers, and keeps what took long. */
export async function keepUserFunnels(pool: Pool, now: Date, keptFromMs = worthKeepingMs): Promise<void> {
  for (const preset of presets) {
    const { from, to } = daysOfPreset(preset, todayInChina(now))
    await inTransaction(pool, async (client) => {
      const { counted, tookMs } = await count(client, { from, to })
      const { readAt, ...funnels } = counted
      if (tookMs < keptFromMs) return
      await execute(
        client,
        query(
          'keep-funnel',
          sql`
          INSERT INTO kept_funnels (from_day, to_day, funnels, read_at)
          VALUES (${from}::date, ${to}::date, ${JSON.stringify(funnels)}::jsonb, ${readAt})
          ON CONFLICT (from_day, to_day) DO UPDATE SET funnels = excluded.funnels, read_at = excluded.read_at`,
        ),
      )
    })
  }
  await execute(
    pool,
    query(
      'drop-old-funnels',
      sql`DELETE FROM kept_funnels WHERE read_at < business_now() - interval '1 hour'`,
    ),
  )
}
