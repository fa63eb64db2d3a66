import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/**
 * How long a stream computes before it pauses for as long: a notification takes about ten turns of the event loop until
 * it is answered, and may take three times as long as on a quiet process, whatever else is under way.
 */
const sliceMs = 2

/** Answers a function to be awaited between two steps of a long work: it pauses once the slice is used up. */
export function openTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  const rest = async () => {
    await pause(sliceMs)
    since = performance.now()
  }
  return () => (performance.now() - since < sliceMs ? undefined : rest())
}

export type PacedQueue = {
  /** Lets its callers on one by one; what each does before it awaits again is one step. */
  myTurn: () => Promise<void>
}

/**
 * For steps of some milliseconds each, such as parsing a long body: those that arrive together run one by one, with a
 * pause after each as long as the step was, so that together they compute at most half of the time.
 */
export function openPacedQueue(): PacedQueue {
  let free = Promise.resolve()
  const pauseAfterStep = async () => {
    const began = performance.now()
    await nextTurn()
    await pause(performance.now() - began)
  }
  return {
    myTurn: () => {
      const turn = free.then(() => nextTurn())
      free = turn.then(pauseAfterStep)
      return turn
    },
  }
}
