import { withConnection } from '@meridian/embedded-postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase, type Prisma } from '../src/index.ts'
import { type ClonedDatabase, cloneDatabase } from '../src/testing/index.ts'

// East and west of UTC, one that is off by 45 minutes, and one whose offset in 1890 has seconds.
const zones = ['Asia/Shanghai', 'Asia/Kathmandu', 'America/St_Johns', 'UTC']

const instant = new Date('2026-03-01T20:34:56.789Z')
const day = new Date('2026-03-01T00:00:00.000Z')
const later = (ms: number) => new Date(instant.getTime() + ms)

type Zoned = { clone: ClonedDatabase; database: OpenDatabase }
const opened = new Map<string, Zoned>()

/** A database whose sessions speak this zone. */
async function openZoned(zone: string): Promise<Zoned> {
  const clone = await cloneDatabase()
  await withConnection(clone.databaseUrl, async (client) => {
    await client.query(`ALTER DATABASE ${client.database} SET timezone = '${zone}'`)
  })
  return { clone, database: openDatabase(clone.databaseUrl) }
}

function inZone(zone: string): OpenDatabase {
  const found = opened.get(zone)
  if (!found) throw new Error(`no database speaks ${zone}`)
  return found.database
}

beforeAll(async () => {
  await Promise.all(zones.map(async (zone) => opened.set(zone, await openZoned(zone))))
})
afterAll(async () => {
  for (const { clone, database } of opened.values()) {
    await database.close()
    await clone.drop()
  }
})

/** What PostgreSQL holds, whatever the session says. */
const held = async ({ pool }: OpenDatabase, id: string): Promise<Date | undefined> =>
  (
    await pool.query<{ ms: number }>(
      'SELECT extract(epoch FROM expires_at)::float8 * 1000 AS ms FROM platform_certificates WHERE id = $1',
      [id],
    )
  ).rows.map(({ ms }) => new Date(Math.round(ms)))[0]

test.each(zones)('an instant is written and read as it is by a session in %s', async (zone) => {
  const database = inZone(zone)
  const { prisma, pool } = database
  expect((await pool.query('SHOW timezone')).rows).toEqual([{ TimeZone: zone }])
  await prisma.platformCertificate.create({ data: { id: 'one', pem: '', expiresAt: instant } })
  expect(await held(database, 'one')).toEqual(instant)
  const read = await prisma.platformCertificate.findUniqueOrThrow({ where: { id: 'one' } })
  expect(read.expiresAt).toEqual(instant)
  await prisma.platformCertificate.update({ where: { id: 'one' }, data: { expiresAt: later(1) } })
  expect(await held(database, 'one')).toEqual(later(1))
  await prisma.platformCertificate.update({ where: { id: 'one' }, data: { expiresAt: null } })
  expect((await prisma.platformCertificate.findFirstOrThrow()).expiresAt).toBeNull()
})

test.each(zones)('many rows, filters and both kinds of transaction are right in %s', async (zone) => {
  const database = inZone(zone)
  const { prisma } = database
  const rows = ['a', 'b', 'c'].map((id, at) => ({ id: `m-${id}`, pem: '', expiresAt: later(at) }))
  await prisma.platformCertificate.createMany({ data: rows })
  const mine = { id: { startsWith: 'm-' } }
  const idsWhere = async (expiresAt: Prisma.DateTimeNullableFilter) =>
    (
      await prisma.platformCertificate.findMany({ where: { ...mine, expiresAt }, orderBy: { id: 'asc' } })
    ).map(({ id }) => id)
  expect(await idsWhere({ gte: later(1) })).toEqual(['m-b', 'm-c'])
  expect(await idsWhere({ in: [later(0), later(2)] })).toEqual(['m-a', 'm-c'])
  expect(await idsWhere({ equals: instant })).toEqual(['m-a'])
  const [inBatch] = await prisma.$transaction([
    prisma.platformCertificate.update({ where: { id: 'm-a' }, data: { expiresAt: later(9) } }),
    prisma.platformCertificate.count(),
  ])
  expect([inBatch.expiresAt, await held(database, 'm-a')]).toEqual([later(9), later(9)])
  const inTransaction = await prisma.$transaction(async (db) => {
    await db.platformCertificate.update({ where: { id: 'm-b' }, data: { expiresAt: later(8) } })
    return db.platformCertificate.findUniqueOrThrow({ where: { id: 'm-b' } })
  })
  expect([inTransaction.expiresAt, await held(database, 'm-b')]).toEqual([later(8), later(8)])
  const { _max } = await prisma.platformCertificate.aggregate({ where: mine, _max: { expiresAt: true } })
  expect(_max.expiresAt).toEqual(later(9))
})

test.each(zones)(
  'raw statements take and give instants, arrays, days and hours as they are in %s',
  async (zone) => {
    const { prisma } = inZone(zone)
    const plain = '2026-03-01 20:34:56.789'
    const [row] = await prisma.$queryRaw<object[]>`SELECT ${instant}::timestamptz AS instant,
    extract(epoch FROM ${instant}::timestamptz)::float8 * 1000 AS ms,
    ${instant}::timestamptz = ANY(${[instant, later(1)]}::timestamptz[]) AS among,
    ARRAY[${instant}::timestamptz, NULL] AS instants,
    ${plain}::timestamp AS without_zone, ${day}::date AS day, '20:34:56.789'::time AS time, NULL::timestamptz AS none`
    expect(row).toEqual({
      instant,
      ms: instant.getTime(),
      among: true,
      instants: [instant, null],
      without_zone: instant,
      day,
      time: new Date('1970-01-01T20:34:56.789Z'),
      none: null,
    })
    const old = new Date('1890-06-01T12:00:00.000Z')
    expect(await prisma.$queryRaw`SELECT ${old}::timestamptz AS old`).toEqual([{ old }])
    expect(
      await prisma.$executeRaw`SELECT 1 WHERE ${instant}::timestamptz = '2026-03-01 20:34:56.789Z'`,
    ).toBe(1)
  },
)

test.each(zones)('a column of days holds the day that was given in %s', async (zone) => {
  const { prisma, pool } = inZone(zone)
  const bill = { kind: 'trade', billDate: day, sha1: '0'.repeat(40) } as const
  const { id, fetchedAt } = await prisma.bill.create({ data: bill })
  expect((await prisma.bill.findFirstOrThrow({ where: { billDate: day } })).billDate).toEqual(day)
  const { rows } = await pool.query('SELECT bill_date, fetched_at FROM bills WHERE id = $1', [id])
  expect(rows).toEqual([{ bill_date: '2026-03-01', fetched_at: fetchedAt }])
})
