import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { fromCursor, InstantKey, toPage } from '../platform/paging/paging.ts'

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
      SELECT b.id, b.bound_at::text AS "sortKey", ${ownDeviceColumnsSql}
      FROM bindings b JOIN devices d USING (serial_number)
      WHERE b.user_id = ${userId}::uuid AND b.unbound_at IS NULL
        AND (b.bound_at, b.id) < (${boundAt}::timestamptz, ${id}::bigint)
      ORDER BY b.bound_at DESC, b.id DESC LIMIT ${limit + 1}`,
      { ...ownDeviceColumns, id: column.bigint, sortKey: column.text },
    ),
  )
  return toPage(rows, limit, (row) => [row.sortKey, String(row.id)])
}
