import { describe, expect, test } from 'vitest'
import { reconcileByClock } from '../../src/doors/jobs/catch-up-with-platform.ts'
import { queueShipping } from '../../src/shipping/queue-shipping.ts'
import { problemOf } from '../world/console.ts'
import { setSetting } from '../world/set-setting.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const finance = useConsole(world, 'finance')
const operator = useConsole(world, 'operator')

const chinaDate = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
const daysAgo = (days: number) => new Date(new Date(Date.now() - days * 86_400_000).setUTCHours(4, 0, 0, 0))

async function paidOn(day: Date) {
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase, { paidAt: day })
  return purchase.order.out_trade_no
}

describe('the reconciliation desk', () => {
  const date = chinaDate(daysAgo(20))

  test('goes from the run of a day over its difference to its closing', async () => {
    const outTradeNo = await paidOn(daysAgo(20))
    world.platform.plantDifferences([{ kind: 'missing', outTradeNo }])
    await reconcileByClock(world.services, { date })
    const { items } = await finance.reconciliation.days.query({})
    expect(items).toMatchObject([
      { date, state: 'matched', orderFen: 2900, ledgerFen: 2900, billFen: 0, openDifferences: 1 },
    ])
    const [item] = (await finance.reconciliation.differences.query({ state: 'open' })).items
    expect(item).toMatchObject({ date, kind: 'ours_only', outTradeNo, suggestedAction: 'ask_platform' })
    const id = item?.id ?? ''
    const nothing = { context: { changesNothing: true } }
    expect(await finance.reconciliation.closeDay.mutate({ date }, nothing)).toEqual({
      verdict: 'open_differences',
    })
    await finance.reconciliation.take.mutate({ id })
    await finance.reconciliation.resolve.mutate({ id, resolution: 'booked by hand' })
    expect(await problemOf(finance.reconciliation.take.mutate({ id }))).toBe('changed_meanwhile')
    expect(await operator.reconciliation.difference.query({ id })).toMatchObject({
      ...{ id, date, outTradeNo, state: 'resolved', resolution: 'booked by hand' },
      resolvedByEmail: 'finance@example.com',
    })
    expect(await problemOf(operator.reconciliation.difference.query({ id: '999999' }))).toBe('not_found')
    expect(await finance.reconciliation.closeDay.mutate({ date })).toEqual({ verdict: 'closed' })
    expect(await operator.reconciliation.day.query({ date })).toMatchObject({
      state: 'closed',
      closedBy: 'finance@example.com',
      bills: [
        { kind: 'trade', rows: 0 },
        { kind: 'fund_flow', rows: 0 },
      ],
    })
  })

  test('queues a run for a day that is over and whose bill is still to be had, and shows that it waits', async () => {
    await finance.reconciliation.requestRun.mutate({ date })
    expect((await finance.reconciliation.day.query({ date })).nextRunAt).toBeInstanceOf(Date)
    for (const day of [chinaDate(new Date()), chinaDate(daysAgo(120))])
      expect(await problemOf(finance.reconciliation.requestRun.mutate({ date: day }))).toBe('invalid_request')
    const audit = await world.query<{ action: string }>(
      'SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY id',
      [date],
    )
    expect(audit.map(({ action }) => action)).toEqual(['reconciliation.close_day', 'reconciliation.run'])
  })

  test('lets operators look and nothing else; a day that nobody compared is not there', async () => {
    const refused = [
      operator.reconciliation.take.mutate({ id: '1' }),
      operator.reconciliation.resolve.mutate({ id: '1', resolution: 'whatever' }),
      operator.reconciliation.requestRun.mutate({ date }),
      operator.reconciliation.closeDay.mutate({ date }),
      operator.shipping.retry.mutate({ outTradeNo: 'M01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
    ]
    expect(await Promise.all(refused.map(problemOf))).toEqual(refused.map(() => 'forbidden'))
    expect(await problemOf(operator.reconciliation.day.query({ date: '2020-01-01' }))).toBe('not_found')
  })
})

describe('the shipping page', () => {
  test('says what is frozen, lists what waits and tries again', async () => {
    await setSetting(world, 'upload_shipping_info', true)
    const outTradeNo = await paidOn(daysAgo(2))
    const later = await paidOn(daysAgo(1))
    for (const one of [outTradeNo, later]) await queueShipping(world.services.database.pool, [one])
    await world.query(
      "UPDATE shipping_uploads SET state = 'failed', last_code = '10060031' WHERE order_id = (SELECT id FROM orders WHERE out_trade_no = $1)",
      [later],
    )
    expect(await operator.shipping.frozen.query()).toMatchObject({
      on: true,
      frozenFen: 5800,
      orders: 2,
      failed: 1,
      oldest: { outTradeNo },
    })
    const first = await operator.shipping.waiting.query({ limit: 1 })
    const { userId } = await operator.order.detail.query({ outTradeNo })
    expect(first).toMatchObject({ items: [{ outTradeNo, userId, state: 'pending' }], previousCursor: null })
    const second = await operator.shipping.waiting.query({ limit: 1, cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({ items: [{ outTradeNo: later, lastCode: '10060031' }], nextCursor: null })
    const back = await operator.shipping.waiting.query({ limit: 1, cursor: second.previousCursor ?? '' })
    expect(back.items).toEqual(first.items)
    expect((await operator.shipping.waiting.query({ state: 'failed' })).items).toHaveLength(1)
    await finance.shipping.retry.mutate({ outTradeNo: later })
    expect((await operator.shipping.waiting.query({ state: 'failed' })).items).toEqual([])
    const unknown = { outTradeNo: 'M01ARZ3NDEKTSV4RRFFQ69G5FAV' }
    expect(await problemOf(finance.shipping.retry.mutate(unknown))).toBe('changed_meanwhile')
  })
})
