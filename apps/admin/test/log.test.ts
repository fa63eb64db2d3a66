import { afterEach, expect, test, vi } from 'vitest'
import { logSilence, writeLog } from '../src/log.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** What the program writes meanwhile, line by line. */
function linesOf(act: () => void): unknown[] {
  const written: string[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  act()
  stdout.mockRestore()
  return written
    .join('')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('a line of the log is JSON with level, UTC time and message, named as in the log of the API', () => {
  expect(
    linesOf(() => {
      writeLog('info', 'console ready', { port: 3000 })
      logSilence(new Error('connect ECONNREFUSED'), 'request-1')
    }),
  ).toEqual([
    { level: 30, time, port: 3000, msg: 'console ready' },
    { level: 50, time, reqId: 'request-1', reason: 'connect ECONNREFUSED', msg: 'the API did not answer' },
  ])
})
