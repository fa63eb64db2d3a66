import { schedule } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { readCron } from '../src/features/jobs/job-words.ts'

test.each([
  ['30 2 * * *', { kind: 'daily', times: ['10:30'] }],
  ['7 19 * * *', { kind: 'daily', times: ['03:07'] }],
  ['41 */6 * * *', { kind: 'daily', times: ['02:41', '08:41', '14:41', '20:41'] }],
  ['0 23,1 * * *', { kind: 'daily', times: ['07:00', '09:00'] }],
  ['5 1-13 * * *', { kind: 'between', from: '09:05', to: '21:05' }],
  ['17 * * * *', { kind: 'hourly', minute: 17 }],
  ['*/5 * * * *', { kind: 'everyMinutes', minutes: 5 }],
  ['0 1 * * 1', { kind: 'weekly', times: ['09:00'] }],
  ['* * * * *', { kind: 'everyMinutes', minutes: 1 }],
])('%s is told by the clock in Beijing', (cron, times) => {
  expect(readCron(cron)).toEqual(times)
})

test.each([
  '0 2 1 * *',
  '0 2 * * 2',
  '0 17 * * 1',
  '*/7 * * * *',
  '0,30 2 * * *',
  '0 25 * * *',
  '61 * * * *',
  'daily',
  '',
])('what no line of ours says is not guessed at: %s', (cron) => {
  expect(readCron(cron)).toBeNull()
})

test('every line of the schedule can be told', () => {
  expect(schedule.filter(({ cron }) => readCron(cron) === null)).toEqual([])
})
