import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  afterPayers,
  nextSlice,
  payerCame,
  stepInSlice,
} from '../../src/platform/streams/event-loop-turns.ts'

/** Keeps the event loop for so long, and answers for how long it did. */
function compute(milliseconds: number): number {
  const began = performance.now()
  while (performance.now() - began < milliseconds);
  return performance.now() - began
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('streams and long bodies together compute at most a third of the time', async () => {
  let computed = 0
  const stream = async () => {
    for (let step = 0; step < 40; step += 1) {
      await stepInSlice()
      computed += compute(0.25)
    }
  }
  const longBody = async () => {
    await nextSlice()
    computed += compute(8)
  }
  const elapsed = await timed(() => Promise.all([stream(), stream(), ...Array.from({ length: 8 }, longBody)]))
  // The pause after the last slice is no longer waited for.
  expect(computed / elapsed).toBeLessThan(0.4)
})

test('long work waits for somebody who pays, and goes on where somebody pays at any time', async () => {
  const [leave, alsoLeave] = [payerCame(), payerCame()]
  try {
    expect(await timed(nextSlice)).toBeGreaterThan(9)
    leave()
    expect(await timed(nextSlice)).toBeGreaterThan(9)
  } finally {
    alsoLeave()
  }
  expect(afterPayers()).toBeUndefined()
})

test('whoever waits for a payer goes on with the answer', async () => {
  const leave = payerCame()
  const waited = Promise.resolve(afterPayers()).then(() => 'with the answer')
  leave()
  expect(await Promise.race([waited, nextTurn('later')])).toBe('with the answer')
})
