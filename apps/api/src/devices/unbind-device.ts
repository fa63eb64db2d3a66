import { execute, type Pool, Prisma, query } from '@meridian/db'
import { thisInstantSql } from '../platform/time/instants.ts'
import { type OwnDevice, ownDeviceColumns, ownDeviceColumnsSql } from './own-device.ts'

/** How a binding ended. */
export type EndReason = 'unbound' | 'superseded' | 'operator' | 'erased'

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
