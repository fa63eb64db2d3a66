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
