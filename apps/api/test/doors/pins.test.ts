import { randomUUID } from 'node:crypto'
import { MOST_PINS } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { problemOf, signedInConsole } from '../world/console.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
type Visitor = Awaited<ReturnType<typeof signedInConsole>>
let viewer: Visitor
let orders: string[]
let userId: string

const visit = (email: string) => signedInConsole(world, { email: `${email}@pins.test`, role: 'viewer' })
const order = (id = '') => ({ kind: 'order' as const, id })
const again = { context: { changesNothing: true } }

beforeAll(async () => {
  viewer = await visit('viewer')
  orders = await plantOrders(world, { count: MOST_PINS + 1, openid: 'oPins' })
  const [row] = await world.query<{ id: string }>(
    `UPDATE users SET nickname = '小明' WHERE openid = 'oPins' RETURNING id`,
  )
  userId = row?.id ?? ''
  await world.query(`INSERT INTO devices (serial_number) VALUES ('SN-PINNED')`)
})

test('what is pinned is shown as it stands now, the newest first, to who pinned it alone', async () => {
  const { search } = viewer.console
  await search.pin.mutate(order(orders[0]))
  await search.pin.mutate({ kind: 'user', id: userId })
  await search.pin.mutate({ kind: 'device', id: 'SN-PINNED' })
  await search.pin.mutate(order(orders[0]), again)
  await world.query(
    `UPDATE orders SET status = 'closed', closed_at = business_now(), close_reason = 'expired' WHERE out_trade_no = $1`,
    [orders[0]],
  )
  const { pinned, recent } = await search.atHand.query({ recent: [] })
  expect(pinned).toMatchObject([
    { kind: 'device', matched: 'pinned', serialNumber: 'SN-PINNED' },
    { kind: 'user', userId, nickname: '小***' },
    { kind: 'order', outTradeNo: orders[0], status: 'closed', amountFen: 2900, payer: '小***' },
  ])
  expect(recent).toEqual([])
  expect(await (await visit('other')).console.search.atHand.query({ recent: [] })).toEqual({
    pinned: [],
    recent: [],
  })
  await search.unpin.mutate({ kind: 'device', id: 'SN-PINNED' })
  await search.unpin.mutate({ kind: 'user', id: userId })
  await search.unpin.mutate({ kind: 'user', id: userId }, again)
  expect((await search.atHand.query({ recent: [] })).pinned).toHaveLength(1)
  const entries = await world.query<{ action: string; subject_type: string }>(
    `SELECT action, subject_type FROM audit_entries WHERE action LIKE 'pin.%' ORDER BY id`,
  )
  expect(entries.map(({ action, subject_type: type }) => `${action} ${type}`)).toEqual([
    'pin.add order',
    'pin.add user',
    'pin.add device',
    'pin.remove device',
    'pin.remove user',
  ])
})

test('what was opened last is shown in the order the browser kept, without what is not there', async () => {
  const recent = [
    { kind: 'user' as const, id: userId },
    order(orders[2]),
    { kind: 'user' as const, id: randomUUID() },
    { kind: 'refund' as const, id: `R${'0'.repeat(26)}` },
    order(orders[1]),
    { kind: 'device' as const, id: `'; DROP TABLE pins; --` },
  ]
  const shown = await viewer.console.search.atHand.query({ recent })
  expect(shown.recent).toMatchObject([
    { kind: 'user', matched: 'recent', userId },
    { kind: 'order', outTradeNo: orders[2] },
    { kind: 'order', outTradeNo: orders[1] },
  ])
  const tooMany = Array(11).fill(order(orders[1]))
  expect(await problemOf(viewer.console.search.atHand.query({ recent: tooMany }))).toBe('invalid_request')
  const unreadable = [{ kind: 'user' as const, id: 'nobody' }]
  expect(await problemOf(viewer.console.search.atHand.query({ recent: unreadable }))).toBe('invalid_request')
})

test('twenty things are kept at hand, and one more is refused', async () => {
  const { search } = (await visit('collector')).console
  for (const number of orders.slice(0, MOST_PINS)) await search.pin.mutate(order(number))
  expect(await problemOf(search.pin.mutate(order(orders[MOST_PINS])))).toBe('invalid_request')
  await search.pin.mutate(order(orders[0]), again)
  expect((await search.atHand.query({ recent: [] })).pinned).toHaveLength(MOST_PINS)
})
