import { column, execute, type PoolClient, Prisma, part, query, reading, statement } from '@meridian/db'
import { settingSql } from '../settings/read-settings.ts'
import { endBindingsSql } from './own-bindings.ts'

const { sql } = Prisma

/** A device that somebody had in another system. */
export type ImportedBinding = { userId: string; serialNumber: string; boundAt: string }

/** The devices that the person whom these rows name has by now. */
const findBindingsHad = (client: PoolClient, told: Prisma.Sql) =>
  execute(
    client,
    query(
      'find-imported-bindings',
      sql`SELECT b.serial_number AS "serialNumber" FROM ${told} JOIN bindings b ON b.serial_number = t."serialNumber"
        WHERE b.user_id = t."userId" AND b.unbound_at IS NULL`,
      { serialNumber: column.text },
    ),
  )

/**
 * Binds devices as another system had them, without proof; who has theirs already keeps that binding. The limit of devices
 * per person is not asked: they have them. A device that somebody else had here for a while is theirs from its last end on.
 * Answers the bindings that were made, by serial number: null where they had it, none where somebody else has it.
 */
export async function importBindings(
  client: PoolClient,
  bindings: readonly ImportedBinding[],
): Promise<ReadonlyMap<string, string | null>> {
  const told = sql`jsonb_to_recordset(${JSON.stringify(bindings)}::jsonb) t ("userId" uuid, "serialNumber" text, "boundAt" timestamptz)`
  await execute(
    client,
    query(
      'import-bound-devices',
      sql`INSERT INTO devices (serial_number) SELECT "serialNumber" FROM ${told} ORDER BY 1 ON CONFLICT DO NOTHING`,
    ),
  )
  const made = await execute(
    client,
    statement({
      name: 'import-bindings',
      parts: [
        part(
          'held',
          [],
          sql`SELECT t.* FROM ${told} JOIN devices d ON d.serial_number = t."serialNumber" ORDER BY d.serial_number FOR UPDATE OF d`,
        ),
        part(
          'bound',
          ['held'],
          sql`
          INSERT INTO bindings (serial_number, user_id, bound_at)
          SELECT "serialNumber", "userId", greatest("boundAt", (
            SELECT max(b.unbound_at) FROM bindings b WHERE b.serial_number = t."serialNumber")) FROM held t
          ON CONFLICT (serial_number) WHERE unbound_at IS NULL DO NOTHING
          RETURNING id, serial_number`,
        ),
      ],
      select: reading(['bound'], sql`SELECT id::text AS id, serial_number AS "serialNumber" FROM bound`),
      rows: { id: column.text, serialNumber: column.text },
    }),
  )
  const had = await findBindingsHad(client, told)
  return new Map([
    ...had.map(({ serialNumber }): [string, null] => [serialNumber, null]),
    ...made.map(({ id, serialNumber }): [string, string] => [serialNumber, id]),
  ])
}

/** What keeps the row `r` from binding its device, as conditions by the code of the fault. */
export const bindingObstacles = {
  device_taken: sql`EXISTS (
    SELECT 1 FROM bindings b JOIN users u ON u.id = b.user_id
    WHERE b.serial_number = r.serial_number AND b.unbound_at IS NULL AND u.openid <> r.openid)`,
  device_disabled: sql`EXISTS (
    SELECT 1 FROM devices d WHERE d.serial_number = r.serial_number AND d.disabled_at IS NOT NULL)`,
  device_not_registered: sql`${settingSql('device_registration')} = '"inventory_only"' AND NOT EXISTS (
    SELECT 1 FROM devices d WHERE d.serial_number = r.serial_number AND d.inventory)`,
} as const

/** Ends the bindings that an import made, inside the caller's transaction. */
export const undoImportedBindings = (client: PoolClient, ids: readonly string[]) =>
  execute(
    client,
    query('undo-imported-bindings', endBindingsSql(sql`b.id = ANY(${[...ids]}::bigint[])`, 'import_undone')),
  )
