import { execute, type PoolClient, Prisma, part, query, reading, statement } from '@meridian/db'
import { endBindingsSql } from './unbind-device.ts'

const { sql } = Prisma

/**
 * Ends what a person has bound and forgets what only their phone knew: the names they gave, and the radio addresses of
 * devices that nobody else has now.
 */
export async function eraseBindings(client: PoolClient, userId: string): Promise<void> {
  await execute(
    client,
    query('end-bindings-of-user', endBindingsSql(sql`b.user_id = ${userId}::uuid`, 'erased')),
  )
  await execute(
    client,
    statement({
      name: 'forget-devices-of-user',
      parts: [
        part(
          'named',
          [],
          sql`UPDATE bindings SET nickname = NULL WHERE user_id = ${userId}::uuid RETURNING serial_number`,
        ),
        part('asked', [], sql`DELETE FROM bind_challenges WHERE user_id = ${userId}::uuid`),
      ],
      select: reading(
        ['named'],
        sql`
          UPDATE devices d SET mac_address = NULL
          WHERE serial_number IN (SELECT serial_number FROM named) AND NOT EXISTS (
            SELECT 1 FROM bindings b WHERE b.serial_number = d.serial_number AND b.unbound_at IS NULL)`,
      ),
    }),
  )
}
