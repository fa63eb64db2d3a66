import { describe, expect, test } from 'vitest'
import { addresses } from '../src/addresses.ts'
import { countFilters, readAmountRange } from '../src/features/orders/filters/filter-values.ts'
import { isFiltered } from '../src/kit/list/use-list-state.ts'
import { paths } from '../src/paths.ts'

const { load, queryOf, filterOf, noFilters } = addresses.orders
const paramsOf = (query: string) => load(Promise.resolve(Object.fromEntries(new URLSearchParams(query))))

describe('the address of the order list', () => {
  test('asks for the newest orders when it says nothing', async () => {
    expect(queryOf(await paramsOf(''))).toEqual({ sort: 'newest', limit: 20 })
  })

  test('says every filter, the order and the page', async () => {
    const query =
      'status=paid&mark=refunding&channel=virtual&limit=50&plan=monthly&from=2026-11-01&to=2026-11-20&min_fen=0&max_fen=9900&q=%20M01%20&paid_from=2026-11-02&paid_to=2026-11-03&confirmed_by=sweep&reached=paid&sort=amount_desc&cursor=abc'
    expect(queryOf(await paramsOf(query))).toEqual({
      status: 'paid',
      mark: 'refunding',
      channel: 'virtual',
      planCode: 'monthly',
      from: new Date('2026-10-31T16:00:00Z'),
      to: new Date('2026-11-20T16:00:00Z'),
      minAmountFen: 0,
      maxAmountFen: 9900,
      paidFrom: new Date('2026-11-01T16:00:00Z'),
      paidTo: new Date('2026-11-03T16:00:00Z'),
      confirmedBy: 'sweep',
      reached: 'paid',
      search: 'M01',
      sort: 'amount_desc',
      limit: 50,
      cursor: 'abc',
    })
  })

  test('asks for another page than its own where that is given', async () => {
    const params = await paramsOf('status=paid&cursor=abc')
    expect(queryOf(params, 'def')).toEqual({ status: 'paid', sort: 'newest', limit: 20, cursor: 'def' })
    expect(queryOf(params, null)).toEqual({ status: 'paid', sort: 'newest', limit: 20 })
  })

  test('says whether anything but the parameters of its tabs narrows the list', async () => {
    const tabs = ['status', 'mark']
    for (const query of ['', 'status=paid&mark=refunding', 'sort=oldest&cursor=abc'])
      expect(addresses.orders.isNarrowedBeside(await paramsOf(query), tabs)).toBe(false)
    expect(addresses.orders.isNarrowedBeside(await paramsOf('status=paid&q=M01'), tabs)).toBe(true)
  })

  test('that makes no sense is read as far as it does', async () => {
    const params = await paramsOf(
      'status=stolen&mark=x&channel=cash&limit=1000&from=2026-02-30&min_fen=-5&max_fen=1e9&sort=price&q=%20%20',
    )
    expect(queryOf(params)).toEqual({ sort: 'newest', limit: 20 })
  })

  test('survives being written and read again', async () => {
    const params = await paramsOf('status=refunded&from=2026-11-01&min_fen=2900&q=M01&sort=oldest&cursor=xyz')
    expect(await paramsOf(paths.orders(params).split('?')[1] ?? '')).toEqual(params)
  })
})

describe('the address of the refund list', () => {
  const { refunds } = addresses
  const queryOfText = async (query: string) =>
    refunds.queryOf(await refunds.load(Promise.resolve(Object.fromEntries(new URLSearchParams(query)))))

  test('says the channel of the orders, and nothing of one that is none', async () => {
    expect(await queryOfText('channel=virtual&status=refused')).toEqual({
      channel: 'virtual',
      status: 'refused',
      sort: 'newest',
      limit: 20,
    })
    expect(await queryOfText('channel=apple')).toEqual({ sort: 'newest', limit: 20 })
  })
})

describe('the filters in use', () => {
  test('are counted once each, a range as one', async () => {
    expect(countFilters(await paramsOf('plan=monthly&from=2026-11-01&to=2026-11-02&min_fen=0'))).toBe(3)
    expect(isFiltered(await paramsOf('sort=oldest&cursor=abc'), noFilters)).toBe(false)
    expect(isFiltered(await paramsOf('min_fen=0'), noFilters)).toBe(true)
    expect(filterOf(await paramsOf('min_fen=0'))).toEqual({ minAmountFen: 0 })
  })
})

describe('an amount range that was typed', () => {
  test('is read as fen, and may stay open on either side', () => {
    expect(readAmountRange('29', '1,234.5')).toEqual({ min_fen: 2900, max_fen: 123_450 })
    expect(readAmountRange('', ' 29.90 ')).toEqual({ min_fen: null, max_fen: 2990 })
  })

  test('is refused with its reason', () => {
    expect(readAmountRange('abc', '')).toBe('badAmount')
    expect(readAmountRange('1.999', '')).toBe('badAmount')
    expect(readAmountRange('30', '29')).toBe('amountOrder')
  })
})
