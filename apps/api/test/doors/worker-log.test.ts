import { pino } from 'pino'
import { expect, test } from 'vitest'
import { workerLog } from '../../src/doors/jobs/job-door.ts'

/** What the log holds of a message of the job library. */
function logged(meta: Record<string, unknown>): unknown {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  workerLog(log).error('Failed task 7', meta)
  return JSON.parse(lines[0] ?? 'null')
}

const job = { id: '7', task_identifier: 'shipping.upload', attempts: 3, payload: { openid: 'o-1' } }

test('a job that fails is logged with its number, its task and the message of its error, and nothing it carries', () => {
  expect(logged({ failure: true, job, error: new Error('no such order'), duration: 1 })).toEqual({
    level: 50,
    component: 'jobs',
    job: '7',
    task: 'shipping.upload',
    attempt: 3,
    error: 'no such order',
    msg: 'Failed task 7',
  })
})

test('what the job library says of itself is logged as it is', () => {
  expect(logged({})).toEqual({ level: 50, component: 'jobs', msg: 'Failed task 7' })
  expect(logged({ error: { code: 'ECONNREFUSED' } })).toMatchObject({ error: '{"code":"ECONNREFUSED"}' })
})
