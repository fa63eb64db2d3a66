import type { DeviceAction } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, part, reading, statement } from '@meridian/db'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { endBindingsSql } from './own-bindings.ts'

const { sql } = Prisma

type Act = { action: 'device.disable' | 'device.enable' | 'device.unbind'; change: Prisma.Sql; actor: Actor }

/** Changes one device and writes the audit entry in the same statement; what is so already is somebody else's act. */
async function act(pool: Pool, { serialNumber, reason }: DeviceAction, { action, change, actor }: Act) {
  const { operatorId, from } = actor
  const entry = { operatorId, action, subject: { type: 'device', id: serialNumber }, after: { reason } }
  const [outcome] = await execute(
    pool,
    statement({
      name: action,
      parts: [
        part('changed', [], sql`${change} RETURNING d.serial_number`),
        part('audited', ['changed'], appendAuditSql(sql`changed`, entry, from)),
      ],
      select: reading(
        ['changed'],
        sql`
          SELECT EXISTS (SELECT 1 FROM devices WHERE serial_number = ${serialNumber}) AS known,
            EXISTS (SELECT 1 FROM changed) AS changed`,
      ),
      rows: { known: column.boolean, changed: column.boolean },
    }),
  )
  if (!outcome?.known) throw new DomainError('device_not_found')
  if (!outcome.changed) throw new DomainError('changed_meanwhile')
}

/**
 * Refuses a device to everybody from now on; its binding stays as it is.
 * @throws DomainError device_not_found, changed_meanwhile
 */
export const disableDevice = (pool: Pool, order: DeviceAction, actor: Actor): Promise<void> =>
  act(pool, order, {
    action: 'device.disable',
    change: sql`UPDATE devices d SET disabled_at = business_now() WHERE serial_number = ${order.serialNumber} AND disabled_at IS NULL`,
    actor,
  })

/**
 * Lets a device be bound again.
 * @throws DomainError device_not_found, changed_meanwhile
 */
export const enableDevice = (pool: Pool, order: DeviceAction, actor: Actor): Promise<void> =>
  act(pool, order, {
    action: 'device.enable',
    change: sql`UPDATE devices d SET disabled_at = NULL WHERE serial_number = ${order.serialNumber} AND disabled_at IS NOT NULL`,
    actor,
  })

/**
 * Takes a device from the person who has it.
 * @throws DomainError device_not_found, changed_meanwhile when nobody has it
 */
export const unbindForOperator = (pool: Pool, order: DeviceAction, actor: Actor): Promise<void> =>
  act(pool, order, {
    action: 'device.unbind',
    change: endBindingsSql(sql`b.serial_number = ${order.serialNumber}`, 'operator'),
    actor,
  })
