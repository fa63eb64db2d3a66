import { execute, type PoolClient, Prisma, part, query, reading, statement } from '@meridian/db'
import { newUlid } from '../platform/ids/new-id.ts'
import { erasedNameSql } from './known-rows.ts'

const { sql } = Prisma

/**
 * Forgets whose lines these were, inside the caller's transaction: what waits to be written of this person goes, and the
 * name that another system gave a line gives way to its keyed mark, so that the line is known where it is sent again; to one
 * of chance where it was taken over before there were marks.
 */
export async function eraseImported(client: PoolClient, userId: string, mac: string): Promise<void> {
  await execute(client, query('erase-import-rows', sql`DELETE FROM import_rows WHERE openid_mac = ${mac}`))
  await execute(
    client,
    statement({
      name: 'erase-import-lines',
      parts: [
        part(
          'numbered',
          [],
          sql`SELECT kind, source, source_id, source_mac, row_number() OVER () AS n FROM import_lines
            WHERE user_id = ${userId}::uuid AND source_id NOT LIKE 'erased:%'`,
        ),
      ],
      select: reading(
        ['numbered'],
        sql`UPDATE import_lines l SET source_id = ${erasedNameSql(sql`coalesce(n.source_mac, ${newUlid()}::text || ':' || n.n)`)} FROM numbered n
          WHERE l.kind = n.kind AND l.source = n.source AND l.source_id = n.source_id`,
      ),
    }),
  )
}
