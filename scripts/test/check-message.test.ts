import { expect, test } from 'vitest'
import { findSlips } from '../check-message.mjs'

test.each([
  'orders: close what nobody pays\n',
  'api, payments: say three comments plainly\n\nWhy and how.\n',
  '# what git says\norders: close what nobody pays\n# more',
  'Merge branch "main"',
  'fixup! orders: close what nobody pays',
  `orders: ${'x'.repeat(64)}`,
])('%j is a message', (message) => {
  expect(findSlips(message)).toEqual([])
})

test.each([
  ['close what nobody pays', 'scope'],
  ['Orders: close what nobody pays', 'scope'],
  [`orders: ${'x'.repeat(65)}`, '73 characters'],
  ['orders: close what nobody pays.', 'full stop'],
  ['orders: close what nobody pays\nbecause', 'empty line'],
])('%j is none', (message, slip) => {
  expect(findSlips(message).join()).toContain(slip)
})
