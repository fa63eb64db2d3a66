import { describe, expect, test } from 'vitest'
import { problemOf } from '../src/api-client/problem.ts'

const problem = { code: 'not_found', title: '没有这笔订单', requestId: '01a2' }
const failed = (told: unknown) => ({ message: 'NOT_FOUND', data: { httpStatus: 404, problem: told } })

describe('what the API says went wrong', () => {
  test('is read out of a failed call', () => {
    expect(problemOf(failed({ ...problem, status: 404 }))).toEqual(problem)
  })

  test('names the fields that are wrong', () => {
    const errors = [{ path: 'amountFen', message: '太大' }]
    expect(problemOf(failed({ ...problem, errors }))).toEqual({ ...problem, errors })
  })

  test.each([
    ['no answer at all', new TypeError('Failed to fetch')],
    ['nothing', undefined],
    ['an answer without a problem', { data: { httpStatus: 502 } }],
    ['a problem without a code', failed({ ...problem, code: undefined })],
    ['a title that is no text', failed({ ...problem, title: 7 })],
    ['a wrong field without a path', failed({ ...problem, errors: [{ message: '太大' }] })],
    ['wrong fields that are no list', failed({ ...problem, errors: 'amountFen' })],
  ])('is not made out of %s', (_, error) => {
    expect(problemOf(error)).toBeNull()
  })
})
