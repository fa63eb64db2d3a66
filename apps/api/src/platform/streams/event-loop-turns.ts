import { setImmediate as turn } from 'node:timers/promises'

/**
 * How long a stream computes before everybody else gets a turn: far below the 50 ms that nobody may take, because a
 * notification needs about ten turns until it is answered.
 */
const sliceMs = 5

/** Answers a function to be awaited between two steps of a long work: it lets others run once the slice is used up. */
export function openTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  const rest = async () => {
    await turn()
    since = performance.now()
  }
  return () => (performance.now() - since < sliceMs ? undefined : rest())
}
