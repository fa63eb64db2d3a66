import { column, execute, nullable, oneOf, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { settingSql } from '../settings/read-settings.ts'
import type { BindingFacts } from './decide-binding.ts'

const { sql } = Prisma

/** What a client says about the device; null where it does not know. */
export type Attributes = {
  model: string | null
  macAddress: string | null
  firmwareVersion: string | null
  nickname: string | null
}

export type BindRequest = {
  claimer: { userId: string; openid: string }
  serialNumber: string
  proof: string | null
  attributes: Attributes
}

const stateColumns = {
  disabled: column.boolean,
  inventory: column.boolean,
  sealedSecret: nullable(column.bytes),
  ownerId: nullable(column.text),
  proven: column.boolean,
  bound: column.integer,
  most: column.integer,
  registration: oneOf(['open', 'inventory_only']),
  trialDays: column.integer,
}
export type BindingState = RowOf<typeof stateColumns>

/** One person's claims queue up here, so that the limit holds; then all claims of one device. */
export async function lockClaim(client: PoolClient, { claimer, serialNumber }: BindRequest): Promise<void> {
  const [claimant] = await execute(
    client,
    query(
      'lock-claimer',
      sql`SELECT id FROM users WHERE id = ${claimer.userId}::uuid AND erased_at IS NULL FOR NO KEY UPDATE`,
    ),
  )
  if (!claimant) throw new DomainError('unauthenticated')
  await execute(
    client,
    query(
      'meet-device',
      sql`INSERT INTO devices (serial_number)
      SELECT ${serialNumber} WHERE ${settingSql('device_registration')} = '"open"'::jsonb
      ON CONFLICT (serial_number) DO NOTHING`,
    ),
  )
  await execute(
    client,
    query('lock-device', sql`SELECT 1 FROM devices WHERE serial_number = ${serialNumber} FOR NO KEY UPDATE`),
  )
  await execute(
    client,
    query(
      'lock-binding',
      sql`SELECT 1 FROM bindings WHERE serial_number = ${serialNumber} AND unbound_at IS NULL FOR NO KEY UPDATE`,
    ),
  )
}

export async function readBindingState(
  client: PoolClient,
  { claimer, serialNumber }: BindRequest,
): Promise<BindingState> {
  const [row] = await execute(
    client,
    query(
      'read-standing-of-device',
      sql`SELECT d.disabled_at IS NOT NULL AS disabled, d.inventory, d.sealed_secret AS "sealedSecret",
        b.user_id AS "ownerId", coalesce(b.proven, false) AS proven,
        (SELECT count(*)::int FROM bindings WHERE user_id = ${claimer.userId}::uuid AND unbound_at IS NULL) AS bound,
        ${settingSql('max_devices_per_user')}::int AS most,
        ${settingSql('device_registration')} #>> '{}' AS registration,
        ${settingSql('trial_days_on_first_binding')}::int AS "trialDays"
      FROM devices d LEFT JOIN bindings b ON b.serial_number = d.serial_number AND b.unbound_at IS NULL
      WHERE d.serial_number = ${serialNumber}`,
      stateColumns,
    ),
  )
  if (!row) throw new DomainError('device_not_registered')
  return row
}

export const toFacts = (standing: BindingState, { claimer, proof }: BindRequest): BindingFacts => ({
  device: {
    disabled: standing.disabled,
    inventory: standing.inventory,
    hasSecret: standing.sealedSecret !== null,
  },
  owner: standing.ownerId
    ? { isClaimer: standing.ownerId === claimer.userId, proven: standing.proven }
    : null,
  registration: standing.registration,
  bound: standing.bound,
  most: standing.most,
  proof: proof === null ? 'none' : 'unread',
})
