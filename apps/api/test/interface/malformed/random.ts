export type Random = {
  /** From 0 on, below this bound. */
  below: (bound: number) => number
  chance: (share: number) => boolean
  pick: <Item>(items: readonly Item[], otherwise: Item) => Item
}

/** Numbers that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    chance: (share) => next() < share,
    pick: (items, otherwise) => items[below(items.length)] ?? otherwise,
  }
}
