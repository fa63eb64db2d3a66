import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetOpened, readRecent, rememberOpened, subjectOfPath } from '../src/features/palette/recent.ts'

const number = (n: number) => `M${String(n).padStart(26, '0')}`
const kept = new Map<string, string>()

/** As much of the browser's storage as is used: its keys are its own. */
class Kept {
  getItem = (key: string) => kept.get(key) ?? null
  setItem = (key: string, value: string) => {
    kept.set(key, value)
    Object.defineProperty(this, key, { value, enumerable: true, configurable: true })
  }
  removeItem = (key: string) => {
    kept.delete(key)
    Reflect.deleteProperty(this, key)
  }
}
beforeEach(() => vi.stubGlobal('localStorage', new Kept()))
afterEach(() => {
  kept.clear()
  vi.unstubAllGlobals()
})

test('a page of one thing names it, and other pages name nothing', () => {
  expect(subjectOfPath(`/orders/${number(1)}`)).toEqual({ kind: 'order', id: number(1) })
  expect(subjectOfPath('/devices/SN-7001')).toEqual({ kind: 'device', id: 'SN-7001' })
  for (const path of [
    '/orders',
    '/devices/import',
    '/users/nobody',
    '/plans/MONTHLY',
    `/orders/${number(1)}/x`,
  ])
    expect(subjectOfPath(path)).toBeNull()
})

test('the ten things opened last are kept for each operator, each once, until somebody signs out', () => {
  for (let n = 0; n < 12; n += 1) rememberOpened('ann', { kind: 'order', id: number(n) })
  rememberOpened('ann', { kind: 'order', id: number(5) })
  const ids = readRecent('ann').map(({ id }) => id)
  expect(ids).toEqual([5, 11, 10, 9, 8, 7, 6, 4, 3, 2].map(number))
  expect(readRecent('bob')).toEqual([])
  forgetOpened()
  expect(readRecent('ann')).toEqual([])
})

test('what else stands in the storage is not taken for one of them', () => {
  kept.set(
    'meridian.recent.ann',
    JSON.stringify([{ kind: 'order', id: '小明' }, { kind: 'x', id: number(1) }, 7, null]),
  )
  expect(readRecent('ann')).toEqual([])
  kept.set('meridian.recent.ann', 'not json')
  expect(readRecent('ann')).toEqual([])
})
