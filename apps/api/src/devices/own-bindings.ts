import {
  column,
  execute,
  nullable,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import { fromCursor, InstantKey, toPage } from '../platform/paging/keyset.ts'
import { thisInstantSql } from '../platform/time/business-time.ts'
import { utcTextSql } from '../platform/time/utc-text.ts'

const { sql } = Prisma

/** A device as the person who has it sees it. */
export const ownDeviceColumns = {
  serialNumber: column.text,
  model: nullable(column.text),
  macAddress: nullable(column.text),
  firmwareVersion: nullable(column.text),
  nickname: nullable(column.text),
  boundAt: column.instant,
}
export type OwnDevice = RowOf<typeof ownDeviceColumns>

/** The columns of `b`, a binding, and `d`, its device. */
export const ownDeviceColumnsSql = Prisma.sql`
  d.serial_number AS "serialNumber", d.model, d.mac_address AS "macAddress", d.firmware_version AS "firmwareVersion",
  b.nickname, b.bound_at AS "boundAt"`

type Query = { userId: string; limit: number; cursor?: string | undefined }

/** The devices a user has now, the newest binding first. */
export async function listOwnDevices(pool: Pool, { userId, limit, cursor }: Query) {
  const [boundAt, id] = cursor ? fromCursor(cursor, InstantKey).position : ['infinity', '0']
  const rows = await execute(
    pool,
    query(
      'list-own-devices',
      Prisma.sql`
      SELECT b.id, ${utcTextSql(sql`b.bound_at`)} AS "sortKey", ${ownDeviceColumnsSql}
      FROM bindings b JOIN devices d USING (serial_number)
      WHERE b.user_id = ${userId}::uuid AND b.unbound_at IS NULL
        AND (b.bound_at, b.id) < (${boundAt}::timestamptz, ${id}::bigint)
      ORDER BY b.bound_at DESC, b.id DESC LIMIT ${limit + 1}`,
      { ...ownDeviceColumns, id: column.bigint, sortKey: column.text },
    ),
  )
  return toPage(rows, limit, (row) => [row.sortKey, String(row.id)])
}

/** How a binding ended. */
type EndReason = 'unbound' | 'superseded' | 'operator' | 'erased' | 'import_undone'

/** Ends the bindings that `which` names, as an update of `b`. */
export const endBindingsSql = (which: Prisma.Sql, reason: EndReason): Prisma.Sql => Prisma.sql`
  UPDATE bindings b SET unbound_at = ${thisInstantSql}, end_reason = ${reason}
  FROM devices d WHERE d.serial_number = b.serial_number AND b.unbound_at IS NULL AND ${which}`

/** Ends a user's binding of this device, or of the device bound most recently. Nothing bound: nothing ended. */
export function unbindDevice(
  pool: Pool,
  { userId, serialNumber }: { userId: string; serialNumber: string | null },
): Promise<OwnDevice[]> {
  const chosen = Prisma.sql`b.id = (
    SELECT id FROM bindings WHERE user_id = ${userId}::uuid AND unbound_at IS NULL
      AND (${serialNumber}::text IS NULL OR serial_number = ${serialNumber})
    ORDER BY bound_at DESC, id DESC LIMIT 1)`
  return execute(
    pool,
    query(
      'unbind-device',
      Prisma.sql`${endBindingsSql(chosen, 'unbound')} RETURNING ${ownDeviceColumnsSql}`,
      ownDeviceColumns,
    ),
  )
}

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
