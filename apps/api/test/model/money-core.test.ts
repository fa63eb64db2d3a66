import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openShop } from './open-shop.ts'
import { runSequence } from './run-sequence.ts'
import { anyLife } from './steps.ts'
import { newTally } from './take.ts'

const deep = process.env['MERIDIAN_DEEP'] === '1'
/** Fifty: the mutants of the money code are judged by forty (tools/mutants). */
const usual = deep ? { sequences: 10_000, length: 40 } : { sequences: 50, length: 30 }
const length = usual.length
/** MERIDIAN_MODEL_SEQUENCES=600 runs fewer or more of them. */
const sequences = Number(process.env['MERIDIAN_MODEL_SEQUENCES'] || usual.sequences)
/** A busy machine may take its time. */
const timeout = deep ? 21_600_000 : 900_000
/** The tables grow from nothing within minutes: without statistics their plans cost more the longer a run lasts. */
const sequencesPerAnalyze = 25
/** Shops of their own, each with two replicas, side by side: a shop mostly waits. */
const shops = deep ? 5 : 2

/**
 * MERIDIAN_MODEL=seed,path runs the one sequence that a failure named. A change is judged by the same sequences as the
 * one before it; new ones are for the deep run.
 */
const [seed = deep ? Date.now() % 0x7fffffff : 20261121, path] = (process.env['MERIDIAN_MODEL'] ?? '')
  .split(',')
  .filter(Boolean)

test.concurrent.for(Array.from({ length: path ? 1 : shops }, (_, shop) => shop))(
  'money is never in doubt, whatever happens in whatever order and wherever a program dies (shop %i)',
  { timeout },
  async (number) => {
    // Every other shop commits each payment by itself.
    await using shop = await openShop(number % 2 === 0 ? 32 : 1)
    const tally = newTally()
    let begun = 0
    const property = fc.asyncProperty(anyLife(length), async (steps) => {
      if (++begun % sequencesPerAnalyze === 0) await shop.pool.query('ANALYZE')
      await runSequence(shop, steps, tally)
    })
    await fc.assert(property, {
      seed: Number(seed) + (path ? 0 : number),
      ...(path && { path }),
      numRuns: Math.ceil(sequences / shops),
      // Shrinking must leave time to tell.
      interruptAfterTimeLimit: timeout - 30_000,
    })
    const crashes = [...tally.crashes.values()].reduce((sum, times) => sum + times, 0)
    if (deep) console.log(`${tally.steps} steps, ${crashes} crashes at ${tally.crashes.size} places`, tally)
    if (path) return
    expect(crashes).toBeGreaterThan(sequences / shops)
    expect(tally.steps).toBeGreaterThanOrEqual((sequences / shops) * length)
  },
)
