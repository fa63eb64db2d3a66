import { expect, test } from 'vitest'
import { undoImport } from '../../src/imports/undo-import.ts'
import { cutAfter } from '../world/cut-off.ts'
import { useImports } from '../world/import-lines.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const take = useImports(world)
const pool = () => world.services.database.pool
const yesterday = () => new Date(world.services.runtime.now().getTime() - 86_400_000).toISOString()

test('who bought after the import is in the way, also where somebody else of it has an entry of the same number', async () => {
  const [first, second] = [await somebody(world), await somebody(world)]
  await take('subscribers', [`shop,same-0,${second.phone.openid},30`])
  const { id } = await take('subscribers', [
    `shop,same-1,${first.phone.openid},30`,
    `shop,same-2,${second.phone.openid},30`,
  ])
  await first.phone.buysAndPays('monthly')
  expect(await undoImport(pool(), id)).toEqual({
    obstacles: [{ line: 2, why: 'later_ledger_entry' }],
    lines: 0,
  })
})

test('a binding that its owner ended, or another of the same file, is in the way', async () => {
  const { phone } = await somebody(world)
  const { id } = await take('bindings', [
    `shop,bound-1,${phone.openid},UNDO-0001,${yesterday()}`,
    `shop,bound-2,bound_b,UNDO-0002,${yesterday()}`,
  ])
  const { status } = await phone.call('/devices/unbind', {
    method: 'POST',
    body: { serial_number: 'UNDO-0001' },
  })
  expect(status).toBe(200)
  expect(await undoImport(pool(), id)).toEqual({ obstacles: [{ line: 2, why: 'binding_changed' }], lines: 0 })
})

test('the timeline of an order that is taken back keeps the number and the transaction that it gave back', async () => {
  const { id } = await take('orders', [
    `shop,kept-1,kept_a,monthly,2900,4200000000000000000000000077,KEPT-0001,${yesterday()},`,
  ])
  await undoImport(pool(), id)
  expect(await world.query(`SELECT detail FROM order_events WHERE kind = 'import_undone'`)).toEqual([
    { detail: { out_trade_no: 'KEPT-0001', transaction_id: '4200000000000000000000000077' } },
  ])
})

test('an import that is cut off keeps its lines while another file is imported, and goes on', async () => {
  const lines = ['shop,cut-1,cut_a,30', 'shop,cut-2,cut_b,30']
  const cut = { ...world.services, database: { ...world.services.database, pool: cutAfter(pool(), 0) } }
  await expect(take('subscribers', lines, cut)).rejects.toThrow('cut off')
  await take('subscribers', ['shop,other-1,other_a,30', 'shop,other-2,other_b,30'])
  expect(await take('subscribers', lines)).toMatchObject({ state: 'done', written: 2, users: 2, days: 60 })
})
