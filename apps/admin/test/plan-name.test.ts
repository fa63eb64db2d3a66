import { englishOf } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { planBadgeIn, planNameIn } from '../src/features/plans/plan-name.ts'

const monthly = { name: '月度会员', nameEn: 'Monthly plan' }
const trip = { name: '旅行会员', nameEn: null }

describe('the name of a plan', () => {
  test('is in the language of whoever reads, in Chinese where that is all there is', () => {
    expect(planNameIn(monthly, 'en')).toBe('Monthly plan')
    expect(planNameIn(monthly, 'zh-CN')).toBe('月度会员')
    expect(planNameIn(trip, 'en')).toBe('旅行会员')
  })

  test('has beside it a badge in the same language', () => {
    const popular = { badge: '热门', badgeEn: 'Popular' }
    expect(planBadgeIn(popular, 'en')).toBe('Popular')
    expect(planBadgeIn(popular, 'zh-CN')).toBe('热门')
    expect(planBadgeIn({ ...popular, badgeEn: null }, 'en')).toBe('热门')
  })

  test('that an order was sold under has English only while a plan is called so', () => {
    expect(englishOf('月度会员', [trip, monthly])).toBe('Monthly plan')
    expect(englishOf('月度会员（旧）', [trip, monthly])).toBeNull()
    expect(englishOf('旅行会员', [trip, monthly])).toBeNull()
  })
})
