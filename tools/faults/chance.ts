/** Chance that starts from a seed. */
export type Chance = {
  /** True for this share of the times, 0–1. */
  of: (share: number) => boolean
  between: (least: number, most: number) => number
  oneOf: <Item>(items: readonly [Item, ...Item[]]) => Item
}

/** The generator called mulberry32. */
function generator(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function newChance(seed: number): Chance {
  const next = generator(seed)
  return {
    of: (share) => next() < share,
    between: (least, most) => least + next() * (most - least),
    oneOf: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
