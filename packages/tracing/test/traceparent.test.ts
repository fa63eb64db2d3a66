import { expect, test } from 'vitest'
import { orderTraceOf, readTraceparent, writeTraceparent } from '../src/index.ts'

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

test('a header is read as it is written', () => {
  const header = `00-${traceId}-${spanId}-01`
  const read = readTraceparent(header)
  expect(read).toEqual({ traceId, spanId, traceFlags: 1, isRemote: true })
  expect(read && writeTraceparent(read)).toBe(header)
})

test('of the flags only the first is known, and later versions may say more', () => {
  expect(readTraceparent(`cc-${traceId}-${spanId}-fe-what-comes`)).toMatchObject({ traceId, traceFlags: 0 })
})

test.each([
  undefined,
  [`00-${traceId}-${spanId}-01`],
  '',
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01\r\nx: y`,
])('%s is no parent', (header) => {
  expect(readTraceparent(header)).toBeUndefined()
})

test('the trace of an order follows from its number as the handbook computes it', () => {
  // printf 'meridian order M01K2N3P4Q5R6S7T8V9W0X1Y2Z3' | sha256sum | cut -c1-32
  expect(orderTraceOf('M01K2N3P4Q5R6S7T8V9W0X1Y2Z3')).toEqual({
    traceId: '076de542e7faa0ca4be9417792f9f5f8',
    spanId: '12cfc10e6b0d57f8',
  })
})
