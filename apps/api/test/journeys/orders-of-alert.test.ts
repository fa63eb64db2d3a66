import { alertSeverities } from '@meridian/contracts'
import { execute, query } from '@meridian/db'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { raiseAlertSql } from '../../src/alerts/write-alert.ts'
import { invariantNames } from '../../src/invariants/check-invariants.ts'
import { somebody } from '../world/somebody.ts'
import { tamper } from '../world/tamper.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'
import type { RaisedKind } from './alert-plays/play.ts'
import { early, late, refund, shapes } from './alert-plays/shapes.ts'

const world = useTestWorld()
const desk = useConsole(world, 'viewer')
let payer: string

beforeAll(async () => {
  const { phone, userId } = await somebody(world)
  payer = userId
  for (const number of [early, late]) {
    const bought = await phone.buysAndPays('monthly', number)
    await tamper(world, `UPDATE orders SET out_trade_no = '${number}' WHERE out_trade_no = '${bought}'`)
  }
  await world.query(
    `INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code)
     SELECT $1, id, 100, 'other' FROM orders WHERE out_trade_no = $2`,
    [refund, early],
  )
})
beforeEach(() => world.query('DELETE FROM alerts'))

const isRaised = (kind: string): kind is RaisedKind => Object.hasOwn(shapes, kind)
const written = Object.keys(alertSeverities)
  .filter(isRaised)
  .flatMap((kind) => shapes[kind].map(([orders, subject, detail]) => ({ kind, orders, subject, detail })))

test('every invariant is among what is looked up', () => {
  const named = shapes.invariant_violated.map(([, , detail]) => detail)
  expect(named).toHaveLength(invariantNames.length)
  expect(named).toEqual(
    expect.arrayContaining(invariantNames.map((invariant) => expect.objectContaining({ invariant }))),
  )
})

test.each(written)(
  '$kind of $subject: is listed and shown with the orders it names, and their customer',
  async ({ kind, orders, subject, detail }) => {
    await execute(world.services.database.pool, query('raise-alert', raiseAlertSql(kind, subject, detail)))
    const ours = orders.filter((number) => [early, late].includes(number))
    const { items } = await desk.alert.list.query({})
    expect(items).toMatchObject([
      { kind, subject, outTradeNo: orders[0] ?? null, userId: ours.length > 0 ? payer : null },
    ])
    const shown = await desk.alert.detail.query({ id: items[0]?.id ?? '' })
    expect(shown.orders.map(({ outTradeNo }) => outTradeNo)).toEqual(ours)
  },
)
