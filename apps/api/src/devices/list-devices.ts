import {
  DeviceBinding,
  DeviceDetail,
  type DeviceFilter,
  type DeviceListQuery,
  DeviceRow,
  type DeviceState,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { byAge, instantColumn, textColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, recentSql, withinSql } from '../platform/sql/conditions.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { taggedSorts, taggedSql, tagsOfSql } from '../tags/tagged-lists.ts'

const { sql } = Prisma

const sorts = byAge({
  key: instantColumn(sql`d.created_at`),
  id: textColumn(sql`d.serial_number`, z.string().regex(/^[A-Z0-9-]{4,32}$/)),
})

const isBound = sql`EXISTS (SELECT 1 FROM bindings b WHERE b.serial_number = d.serial_number AND b.unbound_at IS NULL)`

const inState: Readonly<Record<DeviceState, Prisma.Sql>> = {
  bound: sql`disabled_at IS NULL AND ${isBound}`,
  unbound: sql`disabled_at IS NULL AND NOT ${isBound}`,
  disabled: sql`disabled_at IS NOT NULL`,
}

const isUserId = (text: string) => z.uuid().safeParse(text).success
const isWholeSerial = (text: string) => /^[A-Za-z0-9-]{4,32}$/.test(text)

function found(search: string): Prisma.Sql {
  if (isUserId(search))
    return sql`serial_number IN (
      SELECT serial_number FROM bindings WHERE user_id = ${search}::uuid AND unbound_at IS NULL)`
  const text = search.toUpperCase()
  if (!isWholeSerial(text)) return sql`FALSE`
  // A whole serial number is found however old the device is; by its beginning only recent ones are.
  return sql`(serial_number = ${text} OR (serial_number LIKE ${`${text}%`} AND ${recentSql(sql`created_at`)}))`
}

/** Filters without an index of their own hold within a time range; what bears a tag is read out of the index of tags. */
function conditions({ state, inventory, tag, from, to, search }: DeviceFilter): Prisma.Sql {
  const needsRange = !tag && (state !== undefined || inventory !== undefined) && search === undefined
  return allOfSql(
    state && inState[state],
    inventory !== undefined && sql`inventory = ${inventory}`,
    ...withinSql(tag ? sql`tagged_at` : sql`created_at`, { from, to }, { needsRange }),
    search !== undefined && found(search),
  )
}

/** The devices that the filter leaves, as what follows FROM. */
const filteredSql = (filter: DeviceFilter): Prisma.Sql => {
  const devices = filter.tag
    ? sql`${taggedSql('device', filter.tag)} JOIN devices d ON d.serial_number = tagged_id`
    : sql`devices d`
  return sql`${devices} WHERE ${conditions(filter)}`
}

/** The columns of `d`, a device, and `b`, its binding of now. */
const deviceRowColumnsSql = sql`
  d.serial_number AS "serialNumber", d.model, d.inventory, d.sealed_secret IS NOT NULL AS "hasSecret",
  d.disabled_at AS "disabledAt", d.created_at AS "createdAt", b.user_id AS "userId", b.proven, b.bound_at AS "boundAt"`

const deviceReadColumns = {
  ...columnsOf(DeviceRow.omit({ owner: true, customer: true, tags: true })),
  userId: nullable(column.text),
  proven: nullable(column.boolean),
  boundAt: nullable(column.instant),
}
type DeviceRead = RowOf<typeof deviceReadColumns>

/** A device as it was read, with its owner in one piece. */
const toDevice = ({
  userId,
  proven,
  boundAt,
  ...device
}: DeviceRead): Omit<DeviceRow, 'customer' | 'tags'> => ({
  serialNumber: device.serialNumber,
  model: device.model,
  inventory: device.inventory,
  hasSecret: device.hasSecret,
  disabledAt: device.disabledAt,
  createdAt: device.createdAt,
  owner: userId && boundAt ? { userId, proven: proven === true, boundAt } : null,
})

const listedColumns = {
  ...deviceReadColumns,
  ...columnsOf(DeviceRow.pick({ customer: true, tags: true })),
}

/** One page of devices by the time they were first known. */
export async function listDevices(
  pool: Pool,
  query: DeviceListQuery,
  names: NameView = 'masked',
): Promise<TwoWayPage<DeviceRow>> {
  const page = await readPage(
    pool,
    { sort: (query.tag ? taggedSorts : sorts)[query.sort], asked: query, columns: listedColumns },
    ({ position, page, orderBy }) => sql`
      WITH page AS (SELECT * FROM ${filteredSql(query)} AND ${page})
      SELECT ${deviceRowColumnsSql}, ${nicknameOfSql(sql`b.user_id`, names)} AS customer,
        ${tagsOfSql('device', sql`d.serial_number`)} AS tags, ${position}
      FROM page d LEFT JOIN bindings b ON b.serial_number = d.serial_number AND b.unbound_at IS NULL
      ORDER BY ${orderBy}`,
  )
  const items = page.items.map(({ customer, tags, ...device }) => ({ ...toDevice(device), customer, tags }))
  return { ...page, items }
}

/** How many devices the filters leave. */
export const countDevices = (pool: Pool, filter: DeviceFilter): Promise<RowCount> =>
  countRows(pool, filteredSql(filter))

const deviceBindingColumns = columnsOf(DeviceBinding)

const deviceColumns = {
  ...deviceReadColumns,
  ...columnsOf(DeviceDetail.pick({ macAddress: true, firmwareVersion: true, trialUsed: true })),
}

/**
 * A device with everybody who ever had it, the newest first.
 * @throws DomainError device_not_found
 */
export async function showDevice(
  pool: Pool,
  serialNumber: string,
  names: NameView = 'masked',
): Promise<DeviceDetail> {
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
      SELECT id::text, user_id AS "userId", ${nicknameOfSql(sql`bindings.user_id`, names)} AS customer, proven,
        bound_at AS "boundAt", unbound_at AS "unboundAt", end_reason AS "endReason"
      FROM bindings WHERE serial_number = ${serialNumber} ORDER BY bound_at DESC, id DESC LIMIT 100`,
      deviceBindingColumns,
    ),
  )
  const { macAddress, firmwareVersion, trialUsed } = device
  return { ...toDevice(device), macAddress, firmwareVersion, trialUsed, bindings }
}
