import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeWatched, watchFiles } from '../src/kit/list/watched-files.ts'

/** The storage of a browser, as far as it is used here. */
function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }
}

beforeEach(() => vi.stubGlobal('localStorage', storage()))
afterEach(() => void vi.unstubAllGlobals())

test('a file that is watched is told of once, whichever window sees it first', () => {
  watchFiles(['1', '2'])
  watchFiles(['2'])
  expect(takeWatched(['2', '3'])).toEqual(['2'])
  expect(takeWatched(['2', '3'])).toEqual([])
  expect(takeWatched(['1'])).toEqual(['1'])
})

test('what nobody watches is not told of, and no more than ten are kept', () => {
  expect(takeWatched(['1'])).toEqual([])
  watchFiles(Array.from({ length: 12 }, (_, at) => String(at)))
  expect(takeWatched(['0', '1', '2', '11'])).toEqual(['2', '11'])
})

test('without storage, and with one that holds something else, nobody is told', () => {
  localStorage.setItem('meridian.files', '{"no": "list"}')
  expect(takeWatched(['1'])).toEqual([])
  localStorage.setItem('meridian.files', 'no json')
  watchFiles(['1'])
  expect(takeWatched(['1'])).toEqual([])
  vi.stubGlobal('localStorage', undefined)
  watchFiles(['1'])
  expect(takeWatched(['1'])).toEqual([])
})
