import { describe, expect, test } from 'vitest'
import { englishOf, planNameIn } from '../src/features/plans/plan-name.ts'

const monthly = { name: '月度会员', nameEn: 'Monthly plan' }
const trip = { name: '旅行会员', nameEn: null }

describe('the name of a plan', () => {
  test('is in the language of whoever reads, in Chinese where that is all there is', () => {
    expect(planNameIn(monthly, 'en')).toBe('Monthly plan')
    expect(planNameIn(monthly, 'zh-CN')).toBe('月度会员')
    expect(planNameIn(trip, 'en')).toBe('旅行会员')
  })

  test('that an order was sold under has English only while a plan is called so', () => {
    expect(englishOf('月度会员', [trip, monthly])).toBe('Monthly plan')
    expect(englishOf('月度会员（旧）', [trip, monthly])).toBeNull()
    expect(englishOf('旅行会员', [trip, monthly])).toBeNull()
  })
})
