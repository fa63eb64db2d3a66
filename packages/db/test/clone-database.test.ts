import { askOne, canConnect } from '@meridian/embedded-postgres/testing'
import { expect, test } from 'vitest'
import { assertDisposable, cloneDatabase } from '../src/testing/index.ts'

test('a clone has what the template holds, and nothing that another clone has', async () => {
  await using one = await cloneDatabase()
  await using other = await cloneDatabase()
  await askOne(one.databaseUrl, `UPDATE plans SET price_fen = 1 WHERE code = 'monthly'`)
  expect(await askOne(one.databaseUrl, `SELECT price_fen FROM plans WHERE code = 'monthly'`)).toBe(1)
  expect(await askOne(other.databaseUrl, `SELECT price_fen FROM plans WHERE code = 'monthly'`)).toBe(2900)
})

test('many clones can be asked for at the same time', async () => {
  const clones = await Promise.all(Array.from({ length: 12 }, () => cloneDatabase()))
  expect(new Set(clones.map((clone) => clone.databaseUrl)).size).toBe(12)
  await Promise.all(clones.map((clone) => clone.drop()))
  expect(await canConnect(clones[0]?.databaseUrl ?? '')).toBe(false)
})

test('a clone can be dropped although somebody is still connected', async () => {
  const clone = await cloneDatabase()
  const sleeper = askOne(clone.databaseUrl, 'SELECT pg_sleep(60)').catch((error: Error) => error.message)
  await expect
    .poll(() =>
      askOne(
        clone.databaseUrl,
        `SELECT count(*)::int FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`,
      ),
    )
    .toBe(1)
  await clone.drop()
  expect(await sleeper).toMatch(/terminat/)
})

test.each([
  'postgresql://u:p@db.example.com/orders_test',
  'postgresql://u:p@127.0.0.1/meridian',
  'postgresql://u:p@127.0.0.1/test_data',
  'postgresql://u:p@localhost/orders_test?host=db.example.com',
])('%s may not be destroyed', (databaseUrl) => {
  expect(() => assertDisposable(databaseUrl)).toThrow(/^Refusing to reset (?!.*u:p)/)
})

test.each(['postgresql://127.0.0.1/a_test', 'postgresql://localhost/a_dev', 'postgresql://[::1]:5432/a_e2e'])(
  '%s may be destroyed',
  (databaseUrl) => expect(() => assertDisposable(databaseUrl)).not.toThrow(),
)
