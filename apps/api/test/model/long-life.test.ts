import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longLife } from './long-life.ts'
import { openShop } from './open-shop.ts'
import { runSequence } from './run-sequence.ts'
import { situations } from './situations.ts'
import { newTally } from './take.ts'

const deep = process.env['MERIDIAN_DEEP'] === '1'
const lives = deep ? 300 : 6
/** A busy machine may take its time. */
const timeout = deep ? 7_200_000 : 900_000

/** MERIDIAN_LONG_LIFE=seed,path runs the one life that a failure named. */
const [seed = deep ? Date.now() % 0x7fffffff : 20261124, path] = (process.env['MERIDIAN_LONG_LIFE'] ?? '')
  .split(',')
  .filter(Boolean)

test('money is never in doubt over years: days run out and are bought again, and stacked orders go back', {
  timeout,
}, async () => {
  await using shop = await openShop()
  const tally = newTally()
  await fc.assert(
    fc.asyncProperty(longLife, (steps) => runSequence(shop, steps, tally)),
    {
      seed: Number(seed),
      ...(path && { path }),
      numRuns: lives,
      // Shrinking must leave time to tell.
      interruptAfterTimeLimit: timeout - 30_000,
    },
  )
  if (deep) console.log(tally.situations)
  if (path) return
  // A year that never came or a lapse that nobody had would prove nothing.
  const reached = situations.map((situation) => [situation, (tally.situations.get(situation) ?? 0) > 0])
  expect(reached).toEqual(situations.map((situation) => [situation, true]))
})
