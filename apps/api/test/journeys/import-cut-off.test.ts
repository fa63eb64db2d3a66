import { expect, test } from 'vitest'
import { importFile } from '../../src/imports/import-file.ts'
import { undoImport } from '../../src/imports/undo-import.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { cutAfter } from '../world/cut-off.ts'
import { useSubscriberFiles } from '../world/subscriber-files.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { watchStalls } from '../world/watch-stalls.ts'

const world = useTestWorld()
const subscribers = useSubscriberFiles()

const ledgerOf = (name: string) =>
  world.query(
    `SELECT u.openid, g.seq, g.days FROM grants g JOIN users u ON u.id = g.user_id WHERE u.openid LIKE $1 ORDER BY 1, 2`,
    [`${name}\\_%`],
  )

test('an import that is cut off between two batches, again and again, goes on and gives everybody their days once', async () => {
  const file = await subscribers('cut', 2_600)
  const { services } = world
  const asked = { file, kind: 'subscribers', dryRun: false } as const
  for (const batches of [0, 1, 2, 1]) {
    const database = { ...services.database, pool: cutAfter(services.database.pool, batches) }
    await expect(importFile({ ...services, database }, asked)).rejects.toThrow('cut off')
  }
  const [half] = await world.query(`SELECT state::text AS state, written, lines FROM imports`)
  expect(half).toEqual({ state: 'writing', written: 2_000, lines: 2_600 })
  const done = await importFile(services, asked)
  expect(done).toMatchObject({ state: 'done', lines: 2_600, written: 2_600, users: 2_340, days: 78_000 })
  expect(await world.query('SELECT 1 FROM imports')).toHaveLength(1)
  const ledger = await ledgerOf('cut')
  expect(ledger).toHaveLength(2_600)
  const again = await importFile(services, asked)
  expect(again).toMatchObject({ state: 'done', lines: 2_600, users: 0, days: 0 })
  expect(await ledgerOf('cut')).toEqual(ledger)
  expect((await verifyLedger(services.database.pool)).differences).toEqual([])
  expect(await undoImport(services.database.pool, done.id)).toEqual({ obstacles: [], lines: 2_600 })
  expect((await verifyLedger(services.database.pool)).differences).toEqual([])
  const [left] = await world.query(
    `SELECT count(*)::int AS left FROM subscriptions WHERE expires_at > business_now()`,
  )
  expect(left).toEqual({ left: 0 })
})

test('an import keeps nobody waiting', async () => {
  // As a server does by itself within a minute: until then it knows of no rows and looks through all of them for each line.
  await world.query('ANALYZE users, import_lines')
  const file = await subscribers('patient', 6_000)
  const stalls = watchStalls()
  const report = await importFile(world.services, { file, kind: 'subscribers', dryRun: false })
  expect(stalls.longestMs()).toBeLessThan(200)
  expect(report).toMatchObject({ state: 'done', lines: 6_000, days: 180_000 })
})
