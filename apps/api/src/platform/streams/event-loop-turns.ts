import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** The longest that long work computes before others get their turn. */
const sliceMs = 1
/** How many times as long as a slice the pause after it is: long work computes at most a third of the time. */
const pausesPerSlice = 2
/** The shortest pause a timer knows. */
const shortestPauseMs = 1
/** The longest that others wait for payers: where somebody pays at any time, everything else goes on. */
const patienceMs = 10

// A process has one event loop, and all of this is about it.
let payers = 0
const waiting = new Set<() => void>()
let sliceBegan: number | null = null
let free: Promise<void> = Promise.resolve()
let owedMs = 0

/** Counts a request that pays as under way, until the function that is returned is called. */
export function payerCame(): () => void {
  payers += 1
  return () => {
    payers -= 1
    if (payers === 0) for (const goOn of waiting) goOn()
  }
}

/** To be awaited by work that is no payment: waits until no request that pays is under way, ten milliseconds at most. */
export const afterPayers = (): Promise<void> | undefined =>
  payers === 0
    ? undefined
    : new Promise((resolve) => {
        const goOn = () => {
          clearTimeout(timer)
          waiting.delete(goOn)
          resolve()
        }
        const timer = setTimeout(goOn, patienceMs)
        waiting.add(goOn)
      })

async function endSlice(): Promise<void> {
  const since = performance.now()
  await nextTurn()
  owedMs += pausesPerSlice * (performance.now() - since)
  sliceBegan = null
  if (owedMs < shortestPauseMs) return
  await pause(Math.ceil(owedMs))
  owedMs = 0
}

/**
 * Waits for the next slice of the event loop that long work may compute in. All imports, exports, long bodies and
 * refusals of this process take theirs one after the other, when nobody pays, with a pause after each. What the caller
 * does until it waits for anything else is one slice.
 */
export function nextSlice(): Promise<void> {
  const granted = free.then(async () => {
    await afterPayers()
    await nextTurn()
    sliceBegan = performance.now()
  })
  free = granted.then(endSlice)
  return granted
}

/** To be awaited between two short steps of long work: waits for a slice, unless one is under way and not used up. */
export const stepInSlice = (): Promise<void> | undefined =>
  sliceBegan !== null && performance.now() - sliceBegan < sliceMs ? undefined : nextSlice()
