import { createHash } from 'node:crypto'

/** A number from 0 to 1 for each thing that is left to chance; equal for equal seeds and names, whoever asks first. */
export type Chance = (...about: readonly (string | number)[]) => number

export function chanceOf(seed: number): Chance {
  return (...about) =>
    createHash('sha256')
      .update(JSON.stringify([seed, ...about]))
      .digest()
      .readUInt32BE() /
    2 ** 32
}

/** One of these, by a number from 0 to 1. */
export function oneOf<Item>(items: readonly [Item, ...Item[]], at: number): Item {
  return items[Math.floor(at * items.length)] ?? items[0]
}
