import { describe, expect, test } from 'vitest'
import { groupCount } from '../src/features/shell/group-count.ts'
import { groupOfPage, isOn, mayOpen, navigation, navigationGroups } from '../src/features/shell/navigation.ts'
import { readNavigationForm } from '../src/features/shell/navigation-form.ts'
import { chooseLanguage } from '../src/messages/languages.ts'
import { readChoice, schemeFor } from '../src/ui/theme/appearance.ts'

describe('the language', () => {
  test('is the operator’s choice before the browser’s', () => {
    expect(chooseLanguage('en', 'zh-CN,zh;q=0.9')).toBe('en')
    expect(chooseLanguage('fr', 'en-GB,en;q=0.9')).toBe('en')
    expect(chooseLanguage(undefined, 'zh-TW,en;q=0.5')).toBe('zh-CN')
  })

  test('is Chinese when nothing is said or known', () => {
    expect(chooseLanguage(undefined, null)).toBe('zh-CN')
    expect(chooseLanguage(undefined, 'fr-FR')).toBe('zh-CN')
  })
})

describe('the colours', () => {
  test('follow the choice, and for the system what was last seen there', () => {
    expect(schemeFor(readChoice('dark'), 'light')).toBe('dark')
    expect(schemeFor(readChoice('light'), 'dark')).toBe('light')
    expect(schemeFor(readChoice(undefined), 'dark')).toBe('dark')
    expect(schemeFor(readChoice('nonsense'), undefined)).toBe('light')
  })
})

describe('the side navigation', () => {
  test('shows every page of the table once, in groups', () => {
    expect(navigationGroups().flatMap(({ pages }) => pages)).toHaveLength(navigation.length)
  })

  test('closes to a role the pages that would show it nothing, and no others', () => {
    const closedTo = (role: 'viewer' | 'owner') =>
      navigation.filter((entry) => !mayOpen(entry, role)).map(({ key }) => key)
    expect(closedTo('owner')).toEqual([])
    expect(closedTo('viewer')).toEqual(['reports', 'jobs', 'keys', 'staff', 'tags', 'developers'])
  })

  test('marks a page on itself and below it, not beside it', () => {
    expect(isOn('/orders', '/orders/M01')).toBe(true)
    expect(isOn('/orders', '/orders')).toBe(true)
    expect(isOn('/orders', '/orders-archive')).toBe(false)
  })

  test('opens the group of the page, and on a page of the first level the first that opens', () => {
    expect(groupOfPage('/refunds/R01')).toBe('money')
    expect(groupOfPage('/dashboard')).toBe('sales')
    expect(groupOfPage('/account')).toBe('sales')
  })

  test('sums up what waits on the pages of a group, as one count is shown', () => {
    const money = navigation.filter(({ group }) => group === 'money')
    expect(groupCount(money, { alerts: '3', approvals: '4' })).toBe('7')
    expect(groupCount(money, { alerts: '60', approvals: '40' })).toBe('99+')
    expect(groupCount(money, { alerts: '99+', approvals: null })).toBe('99+')
    expect(groupCount(money, { alerts: null, approvals: null })).toBeNull()
  })

  test('has its words unless this browser keeps that it is folded', () => {
    expect(readNavigationForm('icons')).toBe('icons')
    expect(readNavigationForm(undefined)).toBe('words')
    expect(readNavigationForm('nonsense')).toBe('words')
  })
})
