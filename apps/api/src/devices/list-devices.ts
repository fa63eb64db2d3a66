import {
  type DeviceFilter,
  type DeviceListQuery,
  DeviceRow,
  type DeviceState,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, nullable, type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { countRows } from '../platform/paging/count-tabs.ts'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'

const { sql } = Prisma

const byArrival = {
  column: sql`created_at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  id: sql`serial_number`,
  idType: sql`text`,
  Id: z.string().regex(/^[A-Z0-9-]{4,32}$/),
}
const sorts = {
  newest: { ...byArrival, descending: true },
  oldest: { ...byArrival, descending: false },
} as const satisfies Record<DeviceListQuery['sort'], KeysetSort>

const isBound = sql`EXISTS (SELECT 1 FROM bindings b WHERE b.serial_number = devices.serial_number AND b.unbound_at IS NULL)`

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
  return sql`(serial_number = ${text} OR (serial_number LIKE ${`${text}%`} AND created_at >= business_now() - interval '90 days'))`
}

/** Filters without an index of their own hold within a time range: the last 90 days unless one is given. */
function conditions({ state, inventory, from, to, search }: DeviceFilter): Prisma.Sql {
  const needsRange = (state !== undefined || inventory !== undefined) && search === undefined
  const list = [
    sql`TRUE`,
    ...(state ? [inState[state]] : []),
    ...(inventory === undefined ? [] : [sql`inventory = ${inventory}`]),
    ...(from
      ? [sql`created_at >= ${from}`]
      : needsRange
        ? [sql`created_at >= business_now() - interval '90 days'`]
        : []),
    ...(to ? [sql`created_at < ${to}`] : []),
    ...(search === undefined ? [] : [found(search)]),
  ]
  return Prisma.join(list, ' AND ')
}

/** The columns of `d`, a device, and `b`, its binding of now. */
export const deviceRowColumnsSql = sql`
  d.serial_number AS "serialNumber", d.model, d.inventory, d.sealed_secret IS NOT NULL AS "hasSecret",
  d.disabled_at AS "disabledAt", d.created_at AS "createdAt", b.user_id AS "userId", b.proven, b.bound_at AS "boundAt"`

export const deviceReadColumns = {
  ...columnsOf(DeviceRow.omit({ owner: true })),
  userId: nullable(column.text),
  proven: nullable(column.boolean),
  boundAt: nullable(column.instant),
}
export type DeviceRead = RowOf<typeof deviceReadColumns>

/** A device as it was read, with its owner in one piece. */
export const toDeviceRow = ({ userId, proven, boundAt, ...device }: DeviceRead): DeviceRow => ({
  serialNumber: device.serialNumber,
  model: device.model,
  inventory: device.inventory,
  hasSecret: device.hasSecret,
  disabledAt: device.disabledAt,
  createdAt: device.createdAt,
  owner: userId && boundAt ? { userId, proven: proven === true, boundAt } : null,
})

/** One page of devices by the time they were first known, forwards or backwards, at the same cost at any depth. */
export async function listDevices(pool: Pool, query: DeviceListQuery): Promise<TwoWayPage<DeviceRow>> {
  const { sort, limit, cursor: text, ...filter } = query
  const { cursor, beyond, orderBy } = keysetOf(sorts[sort], text)
  const rows = await readLimited(
    pool,
    sql`
      WITH page AS (
        SELECT * FROM devices WHERE ${conditions(filter)} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1}),
      read AS (
        SELECT ${deviceRowColumnsSql}, d.created_at::text AS "sortKey", d.created_at, d.serial_number
        FROM page d LEFT JOIN bindings b ON b.serial_number = d.serial_number AND b.unbound_at IS NULL)
      SELECT * FROM read ORDER BY ${orderBy}`,
    { ...deviceReadColumns, sortKey: column.text, created_at: column.instant, serial_number: column.text },
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.serialNumber])
  return { ...page, items: page.items.map(toDeviceRow) }
}

/** How many devices the filters leave. */
export const countDevices = (pool: Pool, filter: DeviceFilter): Promise<RowCount> =>
  countRows(pool, sql`devices WHERE ${conditions(filter)}`)
