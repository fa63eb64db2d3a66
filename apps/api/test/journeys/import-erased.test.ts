import type { ImportKind } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { eraseImported } from '../../src/imports/erase-imported.ts'
import { importFile } from '../../src/imports/import-file.ts'
import { holdImport } from '../../src/imports/keep-import.ts'
import { readNextRows } from '../../src/imports/next-rows.ts'
import { writeRows } from '../../src/imports/write-rows.ts'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { eraseUser, lockUser } from '../../src/users/own-account.ts'
import { cutAfter } from '../world/cut-off.ts'
import { useImportFiles } from '../world/import-lines.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const write = useImportFiles()

const pool = () => world.services.database.pool

/** A file of these lines, and what imports it, cut off once so many batches are written. */
async function fileOf(kind: ImportKind, lines: readonly string[]) {
  const file = await write(`${lines.join('\n')}\n`)
  return (batches = Number.POSITIVE_INFINITY) =>
    importFile(
      { ...world.services, database: { ...world.services.database, pool: cutAfter(pool(), batches) } },
      { file, kind, dryRun: false },
    )
}

const subscribers = 'source,source_id,openid,days'

type Somebody = Awaited<ReturnType<typeof somebody>>
const erase = ({ phone }: Somebody) =>
  phone.call('/me', {
    method: 'DELETE',
    body: { confirm: 'DELETE', code: world.platform.loginCode(phone.openid) },
  })
const usersOf = ({ phone }: Somebody) => world.query('SELECT id FROM users WHERE openid = $1', [phone.openid])
/** How many statements of this text wait for a lock. */
const waiting = async (text: string) =>
  (
    await world.query(
      `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'`,
      [text],
    )
  ).length

const begun = async (person: Somebody, sourceId: string) => {
  const take = await fileOf('subscribers', [subscribers, `shop,${sourceId},${person.phone.openid},30`])
  await expect(take(0)).rejects.toThrow('cut off')
  const [open] = await world.query<{ id: string }>(`SELECT id::text FROM imports WHERE state = 'writing'`)
  return { take, id: open?.id ?? '' }
}

test('an erasure that comes while lines of its person are written waits for them, and takes them along', async () => {
  const person = await somebody(world)
  const { id, take } = await begun(person, 'w-1')
  const { erasure } = await inTransaction(pool(), async (client) => {
    const held = await holdImport(client, id)
    const rows = await readNextRows(client, held, 500)
    const erasure = erase(person)
    await expect.poll(() => waiting('erased_at IS NULL FOR UPDATE')).toBe(1)
    await writeRows(client, held, { rows, merchant: undefined })
    return { erasure }
  })
  expect((await erasure).status).toBe(204)
  expect(await usersOf(person)).toEqual([])
  expect(await world.query('SELECT 1 FROM import_rows')).toEqual([])
  expect(await take()).toMatchObject({ state: 'done' })
})

test('lines that are to be written while their person is being erased change nothing', async () => {
  const person = await somebody(world)
  const { take } = await begun(person, 'w-2')
  const mark = await world.services.dataKeys.markOf(person.phone.openid)
  const { taken } = await inTransaction(pool(), async (client) => {
    await lockUser(client, person.userId)
    const taken = take()
    await expect
      .poll(() => waiting('INTO users').then(async (met) => met + (await waiting('import_rows'))))
      .toBe(1)
    await eraseImported(client, person.userId, mark)
    await eraseUser(client, person.userId, mark)
    return { taken }
  })
  expect(await taken).toMatchObject({ state: 'done', users: 0, days: 0 })
  expect(await usersOf(person)).toEqual([])
})

test('a file with lines of somebody who was erased may be sent again: disabled or back since, they change nothing', async () => {
  const [back, disabled] = [await somebody(world), await somebody(world)]
  const paidAt = new Date(world.services.runtime.now().getTime() - 86_400_000).toISOString()
  const lineOf = ({ phone }: Somebody, name: string) =>
    `shop,${name},${phone.openid},monthly,2900,,ERASED-${name},${paidAt}`
  const take = await fileOf('orders', [
    'source,source_id,openid,plan_code,amount_fen,transaction_id,out_trade_no,paid_at',
    lineOf(back, 'line-of-back'),
    lineOf(disabled, 'line-of-disabled'),
    `shop,line-of-other,erased_other,monthly,2900,,ERASED-other,${paidAt}`,
  ])
  expect(await take()).toMatchObject({ state: 'done', days: 90 })
  expect((await erase(back)).status).toBe(204)
  expect((await erase(disabled)).status).toBe(204)
  await world.query('UPDATE users SET disabled_at = business_now() WHERE id = $1', [disabled.userId])
  expect(await take()).toMatchObject({ state: 'done', days: 0, users: 0, faults: [] })
  await world.query('INSERT INTO users (id, openid) VALUES (gen_random_uuid(), $1)', [back.phone.openid])
  expect(await take()).toMatchObject({ state: 'done', days: 0, users: 0, faults: [] })
  const names = await world.query<{ name: string }>(
    `SELECT source_id AS name FROM import_lines WHERE kind = 'orders' ORDER BY line`,
  )
  expect(names.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^erased:[\w-]{43}$/),
    expect.stringMatching(/^erased:[\w-]{43}$/),
    'line-of-other',
  ])
})
