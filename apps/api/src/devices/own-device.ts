import { type Pool, Prisma, run } from '@meridian/db'
import { fromCursor, InstantKey, toPage } from '../platform/paging/paging.ts'

/** A device as the person who has it sees it. */
export type OwnDevice = {
  serialNumber: string
  model: string | null
  macAddress: string | null
  firmwareVersion: string | null
  nickname: string | null
  boundAt: Date
}

/** The columns of `b`, a binding, and `d`, its device. */
export const ownDeviceColumnsSql = Prisma.sql`
  d.serial_number AS "serialNumber", d.model, d.mac_address AS "macAddress", d.firmware_version AS "firmwareVersion",
  b.nickname, b.bound_at AS "boundAt"`

type Query = { userId: string; limit: number; cursor?: string | undefined }

/** The devices a user has now, the newest binding first. */
export async function listOwnDevices(pool: Pool, { userId, limit, cursor }: Query) {
  const [boundAt, id] = cursor ? fromCursor(cursor, InstantKey).position : ['infinity', '0']
  const rows = await run<OwnDevice & { id: bigint; sortKey: string }>(
    pool,
    'list-own-devices',
    Prisma.sql`
      SELECT b.id, b.bound_at::text AS "sortKey", ${ownDeviceColumnsSql}
      FROM bindings b JOIN devices d USING (serial_number)
      WHERE b.user_id = ${userId}::uuid AND b.unbound_at IS NULL
        AND (b.bound_at, b.id) < (${boundAt}::timestamptz, ${id}::bigint)
      ORDER BY b.bound_at DESC, b.id DESC LIMIT ${limit + 1}`,
  )
  return toPage(rows, limit, (row) => [row.sortKey, String(row.id)])
}
