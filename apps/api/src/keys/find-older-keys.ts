import { column, execute, type Pool, Prisma, query } from '@meridian/db'

/** The certificate with this serial that some replica once downloaded, also when its time is over. */
export const findOlderKeys = (pool: Pool, serial: string): Promise<{ id: string; pem: string }[]> =>
  execute(
    pool,
    query('find-older-keys', Prisma.sql`SELECT id, pem FROM platform_certificates WHERE id = ${serial}`, {
      id: column.text,
      pem: column.text,
    }),
  )
