import { execute, type Pool, Prisma, query } from '@meridian/db'

/**
 * Whether it is this process's turn to look: nobody looked within the last `everySeconds`, and of those who ask now
 * one gets the row. Needs no session and no holder, so that a process that dies takes nothing with it.
 */
export async function takeTurn(pool: Pool, everySeconds: number): Promise<boolean> {
  const rows = await execute(
    pool,
    query(
      'take-turn',
      Prisma.sql`
      INSERT INTO condition_checks AS last (id) VALUES (1)
      ON CONFLICT (id) DO UPDATE SET checked_at = business_now()
        WHERE last.checked_at <= business_now() - ${everySeconds}::float8 * interval '1 second'
      RETURNING id`,
    ),
  )
  return rows.length > 0
}
