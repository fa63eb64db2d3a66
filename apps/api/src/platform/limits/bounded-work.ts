import type { ProblemCode } from '@meridian/contracts'
import { DomainError } from '../errors/domain-error.ts'

export type Allowance = {
  /**
   * Runs the work once it is its turn; whoever waits holds nothing. Work may bring a smaller number of its own of those
   * that may wait before it, so that room is left for other work.
   * @throws DomainError where too many wait already
   */
  run: <Result>(work: () => Promise<Result>, room?: number) => Promise<Result>
}

type Bounds = {
  atOnce: number
  waiting: number
  /** What is told to whom there is no room for. */
  refusal?: { code: ProblemCode; retryAfterSeconds: number }
}

/** Lets so many works run at once and so many more wait: for what is dear, beside much that is not. */
export function openAllowance({
  atOnce,
  waiting,
  refusal: { code, retryAfterSeconds } = { code: 'service_unavailable', retryAfterSeconds: 2 },
}: Bounds): Allowance {
  let free = atOnce
  const queue: (() => void)[] = []
  const enter = async (room: number) => {
    if (free > 0) {
      free -= 1
      return
    }
    if (queue.length >= room) throw new DomainError(code, { retryAfterSeconds })
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  const leave = () => {
    const next = queue.shift()
    if (next) next()
    else free += 1
  }
  return {
    run: async (work, room = waiting) => {
      await enter(Math.min(room, waiting))
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

/** A megabyte each: no more at once, however many connections there are. */
const bigReadsAllowed = { atMost: 2, waiting: 100 }

/**
 * Reports and account exports weigh up to a megabyte each: how many a process lets be read of them at once, whichever
 * door asks. One connection of the door stays free of them, where it has more than one.
 */
export const openBigReads = (connectionsOfDoor: number): Allowance =>
  openAllowance({
    atOnce: Math.max(1, Math.min(connectionsOfDoor - 1, bigReadsAllowed.atMost)),
    waiting: bigReadsAllowed.waiting,
  })

/** A body that waits is in memory: a hundred reports of 256 KiB at the most. */
const longBodiesAllowed = { atOnce: 1, waiting: 100 }

/** How many long bodies of a process wait for their slice of the event loop. */
export const openLongBodies = (): Allowance => openAllowance(longBodiesAllowed)

export type OneAtATime = {
  /**
   * Runs the work when the work before it under the same key has ended, however it ended. Whoever waits holds nothing.
   * @throws the signal's reason, where it aborts before the work's turn; whatever the work throws
   */
  run: <Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>
}

/** A queue per key: works of one key run one after the other, those of different keys side by side. */
export function openOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<void>>()
  return {
    run: async (key, work, signal) => {
      const before = last.get(key) ?? Promise.resolve()
      const turn = before.then(() => {
        signal?.throwIfAborted()
        return work()
      })
      const ended = turn.then(
        () => undefined,
        () => undefined,
      )
      last.set(key, ended)
      try {
        return await turn
      } finally {
        if (last.get(key) === ended) last.delete(key)
      }
    },
  }
}

/** The time given to a work ran out before it ended. */
export class DeadlineError extends Error {
  constructor(ms: number) {
    super(`not done within ${ms} ms`)
    this.name = 'DeadlineError'
  }
}

/**
 * Waits for a work so long and no longer. The signal aborts at that moment, for whatever of the work can still be left
 * undone; what cannot be ends unheard.
 * @throws DeadlineError; whatever the work throws
 */
export async function withDeadline<Result>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new DeadlineError(ms)
      over.abort(error)
      reject(error)
    }, ms)
  })
  try {
    return await Promise.race([work(over.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
