import { NewPlan, PlanText } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { emptyPlan, TypedNewPlan } from '../src/features/plans/typed-plan.ts'
import { optionalYuan, typedCount, typedInt, typedWord, typedYuan, yuanOf } from '../src/kit/act/typed.ts'

describe('what is typed', () => {
  test('is a whole number, with a sign where one makes sense', () => {
    const sort = typedInt.pipe(PlanText.shape.sortOrder)
    expect(sort.parse(' -12 ')).toBe(-12)
    for (const none of ['', '1.5', '1e3', 'twelve']) expect(sort.safeParse(none).success).toBe(false)
    const days = typedCount.pipe(PlanText.shape.durationDays)
    expect(days.parse('365')).toBe(365)
    for (const none of ['-3', '0', '+3', '3661']) expect(days.safeParse(none).success).toBe(false)
  })

  test('is an amount in yuan, kept in fen, and none where it may be left empty', () => {
    const price = typedYuan.pipe(NewPlan.shape.priceFen)
    expect(price.parse('29.90')).toBe(2990)
    expect(price.parse(yuanOf(1_234_50))).toBe(1_234_50)
    for (const none of ['', '29.905', '0', 'free']) expect(price.safeParse(none).success).toBe(false)
    const listPrice = optionalYuan.pipe(NewPlan.shape.listPriceFen)
    expect(listPrice.parse(' ')).toBeNull()
    expect(listPrice.safeParse('free').success).toBe(false)
  })

  test('confirms an act only as the very word', () => {
    const word = typedWord('v12')
    expect(word.parse(' v12 ')).toBe('v12')
    for (const other of ['', 'v1', 'V12']) expect(word.safeParse(other).success).toBe(false)
  })
})

test('a new plan says by the names of its fields which of them are wrong', () => {
  const { error } = TypedNewPlan.safeParse({
    ...emptyPlan,
    name: 'Month',
    durationDays: 'ten',
    priceFen: '9.999',
  })
  const wrong = new Set(error?.issues.map(({ path }) => path[0]))
  expect(wrong).toEqual(new Set(['code', 'durationDays', 'priceFen']))
  const plan = { ...emptyPlan, code: ' month ', name: 'Month', priceFen: '29', badge: ' ' }
  expect(TypedNewPlan.parse(plan)).toMatchObject({
    code: 'month',
    durationDays: 30,
    priceFen: 2900,
    badge: null,
  })
})
