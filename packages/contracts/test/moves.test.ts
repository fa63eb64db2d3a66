import { describe, expect, test } from 'vitest'
import { canMove, canMoveRefund, OrderStatus, orderMoves, RefundStatus, refundMoves } from '../src/index.ts'

type Moves = Readonly<Record<string, { from: readonly string[]; to: string }>>

function reachable(start: string, moves: Moves): Set<string> {
  const seen = new Set([start])
  for (let grew = true; grew; ) {
    const before = seen.size
    for (const { from, to } of Object.values(moves)) if (from.some((status) => seen.has(status))) seen.add(to)
    grew = seen.size > before
  }
  return seen
}

describe('the table of moves', () => {
  test('every status of an order can be reached from its creation', () => {
    expect(reachable('created', orderMoves)).toEqual(new Set(OrderStatus.options))
  })

  test('every status of a refund can be reached from its request', () => {
    expect(reachable('requested', refundMoves)).toEqual(new Set(RefundStatus.options))
  })

  test('a paid order never goes back', () => {
    const onward = Object.entries(orderMoves).filter(([, { from }]) =>
      from.some((status) => status === 'paid'),
    )
    expect(onward.map(([move]) => move)).toEqual(['refund'])
    expect(canMove('refunded', 'pay')).toBe(false)
  })

  test('what ended stays ended', () => {
    for (const status of ['succeeded', 'closed', 'rejected'] as const)
      for (const move of [
        'approve',
        'reject',
        'process',
        'succeed',
        'close',
        'turnAbnormal',
        'stop',
      ] as const)
        expect(canMoveRefund(status, move)).toBe(false)
  })
})
