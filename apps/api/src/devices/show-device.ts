import { DeviceBinding, DeviceDetail } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { deviceReadColumns, deviceRowColumnsSql, toDeviceRow } from './list-devices.ts'

const deviceBindingColumns = columnsOf(DeviceBinding)

const deviceColumns = {
  ...deviceReadColumns,
  ...columnsOf(DeviceDetail.pick({ macAddress: true, firmwareVersion: true, trialUsed: true })),
}

/**
 * A device with everybody who ever had it, the newest first.
 * @throws DomainError device_not_found
 */
export async function showDevice(pool: Pool, serialNumber: string): Promise<DeviceDetail> {
  const [device] = await execute(
    pool,
    query(
      'show-device',
      Prisma.sql`
      SELECT ${deviceRowColumnsSql}, '••••' || right(d.mac_address, 4) AS "macAddress", d.firmware_version AS "firmwareVersion",
        EXISTS (SELECT 1 FROM grants g WHERE g.kind = 'trial' AND g.serial_number = d.serial_number) AS "trialUsed"
      FROM devices d LEFT JOIN bindings b ON b.serial_number = d.serial_number AND b.unbound_at IS NULL
      WHERE d.serial_number = ${serialNumber}`,
      deviceColumns,
    ),
  )
  if (!device) throw new DomainError('device_not_found')
  const bindings = await execute(
    pool,
    query(
      'show-bindings-of-device',
      Prisma.sql`
      SELECT id::text, user_id AS "userId", proven, bound_at AS "boundAt", unbound_at AS "unboundAt", end_reason AS "endReason"
      FROM bindings WHERE serial_number = ${serialNumber} ORDER BY bound_at DESC, id DESC LIMIT 100`,
      deviceBindingColumns,
    ),
  )
  const { macAddress, firmwareVersion, trialUsed } = device
  return { ...toDeviceRow(device), macAddress, firmwareVersion, trialUsed, bindings }
}
