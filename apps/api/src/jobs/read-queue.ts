import { column, execute, type Pool, Prisma, query } from '@meridian/db'

/** Whether the job queue's tables are there; throws when the database is not. */
export async function isQueueReady(pool: Pool): Promise<boolean> {
  const [row] = await execute(
    pool,
    query(
      'find-queue',
      Prisma.sql`SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS ready`,
      { ready: column.boolean },
    ),
  )
  return row?.ready ?? false
}
