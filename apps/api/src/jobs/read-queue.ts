import { type Pool, Prisma, run } from '@meridian/db'

/** Whether the job queue's tables are there; throws when the database is not. */
export async function isQueueReady(pool: Pool): Promise<boolean> {
  const [row] = await run<{ ready: boolean }>(
    pool,
    'find-queue',
    Prisma.sql`SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS ready`,
  )
  return row?.ready ?? false
}
