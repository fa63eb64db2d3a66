import { expect, test } from 'vitest'
import { describeOutcome, hasProgram, runCheck, summarise } from '../run-checks.ts'

const check = (run: () => Promise<void>, ...programs: string[]) => ({
  name: 'sh takes its file',
  programs: ['sh', ...programs],
  run,
})
const well = async () => undefined
const badly = async () => {
  throw new Error('line 3: no such word\nline 4: neither')
}

test('a check whose program is missing is not done, and counts as neither passed nor failed', async () => {
  const outcome = await runCheck(check(well, 'no-such-program'))
  expect(describeOutcome(outcome)).toBe('– sh takes its file: NOT DONE: no-such-program is missing')
  expect(summarise([outcome])).toBe('1 not done, 0 passed, 0 failed')
})

test('a check that throws has failed with what the program said', async () => {
  const outcome = await runCheck(check(badly))
  expect(describeOutcome(outcome)).toBe('✖ sh takes its file\n    line 3: no such word\n    line 4: neither')
  expect(summarise([outcome, await runCheck(check(well))])).toBe('0 not done, 1 passed, 1 failed')
})

test('a program may be named by its path', async () => {
  expect(await hasProgram(process.execPath)).toBe(true)
  expect(await hasProgram(`${process.execPath}-of-another-name`)).toBe(false)
})

test('of a program with parts the part must be there as well', async () => {
  expect(await hasProgram('node')).toBe(true)
  expect(await hasProgram('node no-such-part')).toBe(false)
})
