import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportKind } from '@meridian/contracts'
import { column, execute, Prisma, query } from '@meridian/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oldestUntriedSql } from '../../src/events/oldest-untried.ts'
import { importFile } from '../../src/imports/import-file.ts'
import { type Receiver, startReceiver } from '../world/receiver.ts'
import { connectReceiver, sendDueEvents } from '../world/send-events.ts'
import { useConsole, useOpened, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')
const receiver: Receiver = useOpened(startReceiver)
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-imported-facts-'))
  await connectReceiver(owner, receiver)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const dayMs = 86_400_000
const now = () => world.services.runtime.now().getTime()
const longAgo = () => new Date(now() - 90 * dayMs).toISOString()

async function take(kind: ImportKind, lines: readonly string[]): Promise<void> {
  const file = join(folder, `${kind}.csv`)
  await writeFile(file, `${lines.join('\n')}\n`)
  expect(await importFile(world.services, { file, kind, dryRun: false })).toMatchObject({
    state: 'done',
    faults: [],
  })
}

async function oldestSeconds(): Promise<number> {
  const [row] = await execute(
    world.services.database.pool,
    query(null, Prisma.sql`SELECT extract(epoch FROM business_now() - ${oldestUntriedSql})::float8 AS age`, {
      age: column.real,
    }),
  )
  return row?.age ?? Number.NaN
}

test('what an import takes over happens when it is written: nothing is late, and days are told as imported', async () => {
  const began = now()
  const paidAt = longAgo()
  await take('orders', [
    'source,source_id,openid,plan_code,amount_fen,transaction_id,out_trade_no,paid_at,days',
    `shop,o-1,imported_buyer,monthly,2900,,,${paidAt},365`,
  ])
  await take('bindings', [
    'source,source_id,openid,serial_number,bound_at',
    `shop,b-1,imported_buyer,IM-0001,${paidAt}`,
  ])
  expect(await oldestSeconds()).toBeLessThan(60)
  await sendDueEvents(world)
  const told = receiver.received.map(({ event }) => event)
  expect(told.map(({ type }) => type).sort()).toEqual(['device.bound', 'subscription.changed'])
  for (const { timestamp } of told) expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(began)
  const dataOf = (type: string) => told.find((event) => event.type === type)?.data
  expect(dataOf('subscription.changed')).toMatchObject({ cause: 'import', days: 365 })
  expect(dataOf('device.bound')).toMatchObject({ serial_number: 'IM-0001', bound_at: paidAt })
})
