import { beforeEach, expect, test } from 'vitest'
import { payInSilence } from '../world/pay-in-silence.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const desk = useConsole(world, 'viewer')

type Planted = { kind: string; subject: string; detail?: object }

/** Opens alerts a minute apart, in this order. */
async function plant(alerts: readonly Planted[]): Promise<void> {
  for (const [minute, { kind, subject, detail = {} }] of alerts.entries())
    await world.query(
      `INSERT INTO alerts (kind, subject, detail, opened_at)
       VALUES ($1, $2, $3, business_now() - interval '1 day' + $4 * interval '1 minute')`,
      [kind, subject, JSON.stringify(detail), minute],
    )
}

beforeEach(() => world.query('DELETE FROM alerts'))

/** Every row, read in pages of so many, forwards. */
async function listed(limit: number): Promise<[string, boolean][]> {
  const rows: [string, boolean][] = []
  let cursor: string | undefined
  do {
    const page = await desk.alert.list.query({ limit, ...(cursor && { cursor }) })
    rows.push(...page.items.map(({ kind, isSameOrder }): [string, boolean] => [kind, isSameOrder]))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return rows
}

const [early, late, other] = ['A', 'B', 'C'].map((letter) => `M${letter.repeat(26)}`) as [
  string,
  string,
  string,
]

test('open alerts of one order stand together on whatever pages, those of a double payment with both its orders', async () => {
  await plant([
    { kind: 'shipping_refused', subject: 'x', detail: { order: late } },
    { kind: 'job_dead', subject: 'job' },
    { kind: 'order_parked', subject: other },
    { kind: 'delivery_unconfirmed', subject: 'y', detail: { out_trade_no: early } },
    { kind: 'possible_double_payment', subject: `${early} ${late}` },
    { kind: 'payment_mismatch', subject: other },
    { kind: 'second_transaction', subject: late },
  ])
  const grouped = [
    ['shipping_refused', false],
    ['delivery_unconfirmed', true],
    ['possible_double_payment', true],
    ['second_transaction', true],
    ['job_dead', false],
    ['order_parked', false],
    ['payment_mismatch', true],
  ]
  for (const limit of [1, 2, 3, 100]) expect(await listed(limit)).toEqual(grouped)
})

test('a page that is left is found again by going back, and another list’s cursor is refused', async () => {
  await plant(
    Array.from({ length: 5 }, (_, n) => ({ kind: 'payment_mismatch', subject: `${other.slice(0, -1)}${n}` })),
  )
  const first = await desk.alert.list.query({ limit: 2 })
  const second = await desk.alert.list.query({ limit: 2, cursor: first.nextCursor ?? '' })
  const back = await desk.alert.list.query({ limit: 2, cursor: second.previousCursor ?? '' })
  expect(back.items).toEqual(first.items)
  await expect(desk.alert.list.query({ state: 'resolved', cursor: first.nextCursor ?? '' })).rejects.toThrow()
})

test('an alert that names its order in its detail is listed with it, and with its amount in the queue', async () => {
  const { outTradeNo } = await payInSilence(world)
  await plant([{ kind: 'shipping_refused', subject: 'x', detail: { order: outTradeNo } }])
  expect((await desk.alert.list.query({})).items).toMatchObject([{ outTradeNo, outRefundNo: null }])
  expect((await desk.inbox.list.query({ view: 'all' })).items).toMatchObject([
    { kind: 'alert', amountFen: 2900 },
  ])
})
