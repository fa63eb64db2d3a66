import { describe, expect, test } from 'vitest'
import { findNumber } from '../src/kit/list/find-number.ts'

const order = 'M01KAXPRPG4179ZPNB83WVTE8T1'
const unreachable = () => Promise.reject(new Error('offline'))

describe('what a list looks for', () => {
  test.each([
    ['an order in a message', `您好 我的订单 ${order} 没到账`, order],
    ['a refund in a message', `where is R${order.slice(1)}?`, `R${order.slice(1)}`],
    ['the end of a number that a message names', '订单尾号：VTE8T1，麻烦看一下', 'VTE8T1'],
    ['a nickname, as it stands', '林 小明', '林 小明'],
  ])('is %s', async (_, text, wanted) => {
    expect(await findNumber(text)).toBe(wanted)
  })

  test('is a number alone at once, and a message as it stands where nothing can read it', async () => {
    expect(await findNumber(order, unreachable)).toBe(order)
    expect(await findNumber('', unreachable)).toBe('')
    const message = `订单 ${order}`
    expect(await findNumber(message, unreachable)).toBe(message)
  })
})
