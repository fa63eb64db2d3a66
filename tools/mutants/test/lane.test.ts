import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openLane } from '../open-lane.ts'
import { checkout } from '../source.ts'

const workspace = 'tools/mutants/test/fixture'
const file = `${workspace}/days-left.ts`
const text = readFileSync(join(checkout, file), 'utf8')
const lane = openLane(0)
afterAll(() => lane.close())

const ask = (from: string, to: string, { limitMs = 60_000, of = workspace } = {}) => {
  const change = from === to ? null : { file, text: text.replace(from, to) }
  return lane.ask({ workspace: of, tests: [`${workspace}/days-left.judge.ts`], change }, limitMs)
}

test('a lane kills what the tests notice, lets live what they do not, and changes no file', async () => {
  expect(await ask('', '')).toEqual({ failed: null })
  expect(await ask('days - used', 'days + used')).toEqual({
    failed: {
      file: `${workspace}/days-left.judge.ts`,
      test: 'used days are not left',
      said: 'expected 40 to be 20 // Object.is equality',
    },
  })
  expect(await ask('Math.max(0,', 'Math.max(1,')).toEqual({ failed: null })
  expect(await ask('', '')).toEqual({ failed: null })
  expect(readFileSync(join(checkout, file), 'utf8')).toBe(text)
})

test('a change that does not load is noticed, one that has no end is ended, and the next is judged', async () => {
  expect(await ask('days - used', 'days -')).toMatchObject({ failed: { test: '' } })
  expect(await ask('days - used)', '(() => { for (;;); })())', { limitMs: 3_000 })).toEqual({
    timedOut: true,
  })
  expect(await ask('days - used', 'days + used')).toMatchObject({
    failed: { test: 'used days are not left' },
  })
})

test('a change is gone for all workspaces once the next one is judged, whichever that is of', async () => {
  expect(await ask('days - used', 'days + used')).toMatchObject({
    failed: { test: 'used days are not left' },
  })
  expect(await ask('', '', { of: 'tools/mutants' })).toEqual({ failed: null })
  expect(await ask('', '')).toEqual({ failed: null })
})
