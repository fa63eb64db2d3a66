import { AccountExport, ImportAnswer, IntegrationOrderPage } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { undoImport } from '../../src/imports/undo-import.ts'
import { newSystem, type System } from '../world/api-key.ts'
import { type Console, signedInConsole } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { expectRefused } from '../world/expect-refused.ts'
import { call } from '../world/phone.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let owner: Console
let system: System
let customer: Awaited<ReturnType<typeof somebody>>
/** The number that the order got which was taken back. */
let undone: string

async function importOrder(): Promise<string> {
  const body = `source,source_id,openid,plan_code,amount_fen,out_trade_no,paid_at
shop,again-1,${customer.phone.openid},monthly,2900,AGAIN-1,2026-11-01T08:00:00Z\n`
  const path = `${world.url}/api/v1/integration/imports?kind=orders`
  const headers = { 'content-type': 'text/csv' }
  const answer = await call(path, { method: 'POST', token: system.key, headers, body })
  await doDueJobs(world)
  return ImportAnswer.parse(answer.body).id
}

beforeAll(async () => {
  owner = (await signedInConsole(world, { email: 'owner@example.com', role: 'owner' })).console
  system = await newSystem(world, owner, { scopes: ['imports:write', 'orders:read'] })
  customer = await somebody(world)
  await undoImport(world.services.database.pool, await importOrder())
  await importOrder()
  const [order] = await world.query<{ number: string }>(
    'SELECT out_trade_no AS number FROM orders WHERE import_undone_at IS NOT NULL',
  )
  undone = order?.number ?? ''
})

test('other systems read an order that was imported again once, and not the one taken back', async () => {
  const { items } = IntegrationOrderPage.parse((await system.get('/orders?status=paid')).body)
  expect(items.map((order) => order.out_trade_no)).toEqual(['AGAIN-1'])
  expect((await system.get('/orders/AGAIN-1')).status).toBe(200)
  expectRefused(await system.get(`/orders/${undone}`), 404, 'order_not_found')
})

test('its customer finds it neither by its number nor by asking for its payment', async () => {
  const { phone } = customer
  expect((await phone.call('/subscription/orders/AGAIN-1')).status).toBe(200)
  const path = `/subscription/orders/${undone}`
  expectRefused(await phone.call(path), 404, 'order_not_found')
  expectRefused(await phone.call(`${path}/sync`, { method: 'POST', body: {} }), 404, 'order_not_found')
})

test('its money counts nowhere beside that of the order that replaced it', async () => {
  expect(await owner.customer.money.query({ id: customer.userId })).toMatchObject({
    paidFen: 2900,
    paidOrders: 1,
  })
  expect(await owner.order.totals.query({ search: customer.userId })).toMatchObject({
    count: 2,
    paidOrders: 1,
    grossFen: 2900,
    netFen: 2900,
  })
})

test('the console still lists it, and its timeline says that it was taken back', async () => {
  const { items } = await owner.order.list.query({ search: customer.userId })
  expect(items.map((order) => order.outTradeNo).sort()).toEqual(['AGAIN-1', undone].sort())
  const { events } = await owner.order.detail.query({ outTradeNo: undone })
  expect(events.map(({ kind }) => kind)).toEqual(['import', 'import_undone'])
})

test('the export of a person names what was imported about them and still stands', async () => {
  const { imports } = AccountExport.parse((await customer.phone.call('/me/export')).body)
  expect(imports).toMatchObject([{ kind: 'orders', source: 'shop', source_id: 'again-1' }])
})
