import { isBeyondStep, isFarPrice } from '@meridian/contracts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { isBelowFloor } from '../../src/plans/judge-price.ts'
import { type Console, problemOf, signedInConsole, signInAnew } from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let finance: Console
let other: Console
beforeAll(async () => {
  finance = (await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })).console
  other = (await signedInConsole(world, { email: 'other@example.com', role: 'finance' })).console
})

const planOf = async (code: string) => (await finance.plan.detail.query({ code })).plan
const changePrice = async (code: string, priceFen: number) =>
  finance.plan.changePrice.mutate({ ...(await planOf(code)), priceFen })
const alertsOf = (kind: string) =>
  world.query<{ subject: string; detail: unknown }>('SELECT subject, detail FROM alerts WHERE kind = $1', [
    kind,
  ])
const text = { name: '新', description: '', features: [], badge: null, sortOrder: 0, onSale: true }

test('a price is far when a day costs less than half of the cheapest or more than one and a half of the dearest', () => {
  const month = { priceFen: 3000, durationDays: 30 }
  expect(isFarPrice({ priceFen: 1500, durationDays: 30 }, [month])).toBe(false)
  expect(isFarPrice({ priceFen: 1499, durationDays: 30 }, [month])).toBe(true)
  expect(isFarPrice({ priceFen: 4500, durationDays: 30 }, [month])).toBe(false)
  expect(isFarPrice({ priceFen: 4501, durationDays: 30 }, [month])).toBe(true)
  expect(isFarPrice({ priceFen: 3000, durationDays: 61 }, [month])).toBe(true)
  expect(isFarPrice(month, [])).toBe(true)
  const price = fc.record({
    priceFen: fc.integer({ min: 1, max: 100_000_000 }),
    durationDays: fc.integer({ min: 1, max: 3660 }),
  })
  fc.assert(fc.property(price, (one) => !isFarPrice(one, [one])))
  fc.assert(
    fc.property(price, fc.array(price, { minLength: 1 }), price, (next, some, more) => {
      return isFarPrice(next, some) || !isFarPrice(next, [...some, more])
    }),
  )
})

test('a price is beyond a step when a day becomes dearer or cheaper by more than a tenth', () => {
  const month = { priceFen: 2900, durationDays: 30 }
  for (const priceFen of [29, 2609, 3191]) expect(isBeyondStep(month, { ...month, priceFen })).toBe(true)
  for (const priceFen of [2610, 2900, 3190]) expect(isBeyondStep(month, { ...month, priceFen })).toBe(false)
  expect(isBeyondStep(month, { priceFen: 2900, durationDays: 34 })).toBe(true)
  expect(isBeyondStep(month, { priceFen: 2900 * 12, durationDays: 360 })).toBe(false)
})

test('a price is below the floor when its days cost more at the floor', () => {
  expect(isBelowFloor({ priceFen: 300, durationDays: 30 }, 10)).toBe(false)
  expect(isBelowFloor({ priceFen: 299, durationDays: 30 }, 10)).toBe(true)
})

describe('a price', () => {
  test('below the floor is refused, on a new plan and on every edit of price or days', async () => {
    const plan = { ...text, code: 'gift', durationDays: 3660, priceFen: 1, listPriceFen: null }
    expect(await problemOf(finance.plan.create.mutate(plan))).toBe('price_below_floor')
    expect(await problemOf(changePrice('monthly', 299))).toBe('price_below_floor')
    const days = { ...(await planOf('monthly')), durationDays: 291 }
    expect(await problemOf(finance.plan.edit.mutate(days))).toBe('price_below_floor')
  })

  test('goes down by 40 % at once, and by another 40 % on the same day only with a second person', async () => {
    expect((await changePrice('quarterly', 4740)).waiting).toBeNull()
    const asked = await changePrice('quarterly', 2844)
    expect(asked.plan.priceFen).toBe(4740)
    expect(asked.waiting).toMatchObject({
      before: { priceFen: 4740, durationDays: 90 },
      after: { priceFen: 2844, durationDays: 90 },
    })
    expect(await problemOf(changePrice('quarterly', 2900))).toBe('already_waiting')
    expect(await alertsOf('price_changed_far')).toEqual([])
    await other.plan.decide.mutate({ id: asked.waiting?.id ?? '', approve: true })
    const sheet = await other.plan.detail.query({ code: 'quarterly' })
    expect([sheet.plan.priceFen, sheet.waiting]).toEqual([2844, null])
    expect(sheet.priceChanges.map(({ toFen, operatorEmail }) => [toFen, operatorEmail])).toEqual([
      [2844, 'finance@example.com'],
      [4740, 'finance@example.com'],
    ])
    expect(await alertsOf('price_changed_far')).toMatchObject([
      { subject: 'quarterly', detail: { before: { priceFen: 4740 }, after: { priceFen: 2844 } } },
    ])
  })

  test('goes down by shorter steps of days and of price only as far as half, until the day is over', async () => {
    const days = { ...(await planOf('yearly')), durationDays: 600 }
    expect((await finance.plan.edit.mutate(days)).waiting).toBeNull()
    const { waiting } = await changePrice('yearly', 20_000)
    expect(waiting).not.toBeNull()
    await finance.plan.decide.mutate({ id: waiting?.id ?? '', approve: false })
    await world.passTime({ hours: 25 })
    finance = (await signInAnew(world, 'finance@example.com')).console
    other = (await signInAnew(world, 'other@example.com')).console
    expect((await changePrice('yearly', 20_000)).waiting).toBeNull()
  })

  test('of a new plan is compared with what is on sale, also while it is not a day old', async () => {
    const plan = { ...text, code: 'week', durationDays: 7, priceFen: 500, listPriceFen: null }
    expect((await finance.plan.create.mutate(plan)).waiting).toBeNull()
    expect((await changePrice('week', 300)).waiting).toBeNull()
    const cheap = { ...plan, code: 'cheap', priceFen: 100 }
    const asked = await finance.plan.create.mutate(cheap)
    expect(asked).toMatchObject({ plan: null, waiting: { subject: 'cheap', isOwn: true } })
    expect(await problemOf(finance.plan.detail.query({ code: 'cheap' }))).toBe('plan_not_found')
    const rejected = { id: asked.waiting?.id ?? '', approve: false }
    await other.plan.decide.mutate(rejected)
    expect(await problemOf(other.plan.decide.mutate(rejected))).toBe('changed_meanwhile')
  })

  test('that waits is not written over a change that came between', async () => {
    const { waiting } = await changePrice('monthly', 1000)
    await changePrice('monthly', 2800)
    const verdict = { id: waiting?.id ?? '', approve: true }
    expect(await problemOf(other.plan.decide.mutate(verdict))).toBe('changed_meanwhile')
    expect((await planOf('monthly')).priceFen).toBe(2800)
    await finance.plan.decide.mutate({ ...verdict, approve: false })
    expect((await finance.plan.catalogue.query()).waiting).toEqual([])
  })
})
