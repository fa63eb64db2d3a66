import { openPool } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { expect, test } from 'vitest'
import { readPosition, wentBack } from '../../src/platform/database/read-position.ts'

test('the position is told by its cluster, its timeline and the bytes of its log, which only grow', async () => {
  await using database = await cloneDatabase()
  const pool = openPool(database.databaseUrl, { maxConnections: 1 })
  const before = await readPosition(pool)
  await pool.query('CREATE TABLE written AS SELECT generate_series(1, 1000) AS number')
  await pool.query('SELECT pg_switch_wal()')
  const after = await readPosition(pool)
  await pool.end()
  if (!before || !after) throw new Error('the test server is no standby')
  expect(before).toMatchObject({ system: expect.stringMatching(/^\d+$/), timeline: 1 })
  expect([wentBack(before, after), wentBack(after, before)]).toEqual([false, true])
  expect(wentBack(before, { ...after, timeline: 2 })).toBe(true)
  expect(wentBack(before, { ...after, system: 'another' })).toBe(true)
})

test('where the server does not tell which cluster it is, timeline and bytes are enough', async () => {
  await using database = await cloneDatabase()
  const pool = openPool(database.databaseUrl, { maxConnections: 1 })
  // As a cloud has it: the functions about the control file are the provider's alone.
  await pool.query(`CREATE ROLE forbidden_${process.pid}`)
  await pool.query('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC')
  await pool.query(`SET ROLE forbidden_${process.pid}`)
  expect(await readPosition(pool)).toMatchObject({ system: '', timeline: 1 })
  await pool.query(`RESET ROLE; DROP ROLE forbidden_${process.pid}`)
  await pool.end()
})
