import { openPool, Prisma } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { expect, test } from 'vitest'
import { utcJsonTextSql, utcTextSql } from '../../src/platform/time/utc-text.ts'

const instants = ['2026-03-01T20:34:56Z', '2026-03-01T20:34:56.7Z', '2026-12-31T16:00:00.123456Z']
const given = Prisma.sql`given::timestamptz`
const { text, values } = Prisma.sql`
  SELECT ${utcTextSql(given)} AS text, ${given}::text AS "castText",
    ${utcJsonTextSql(given)} AS json, to_jsonb(${given}) #>> '{}' AS "castJson" FROM unnest(${instants}::text[]) given`

test('the text of an instant is that of a session that speaks UTC, whatever this one speaks', async () => {
  await using database = await cloneDatabase()
  const pool = openPool(database.databaseUrl, { maxConnections: 1 })
  const read = async (zone: string) => {
    await pool.query(`SET timezone = '${zone}'`)
    return (await pool.query(text, values)).rows
  }
  const [utc, shanghai, kathmandu] = [
    await read('UTC'),
    await read('Asia/Shanghai'),
    await read('Asia/Kathmandu'),
  ]
  await pool.end()
  const told = ({ text, json }: { text: string; json: string }) => [text, json]
  expect(utc.map(told)).toEqual(utc.map(({ castText, castJson }) => [castText, castJson]))
  expect([shanghai.map(told), kathmandu.map(told)]).toEqual([utc.map(told), utc.map(told)])
  expect(shanghai[0]).toMatchObject({
    castText: '2026-03-02 04:34:56+08',
    castJson: '2026-03-02T04:34:56+08:00',
  })
})
