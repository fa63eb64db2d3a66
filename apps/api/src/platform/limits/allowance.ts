import { DomainError } from '../../domain-error.ts'

export type Allowance = {
  /**
   * Runs the work once it is its turn; whoever waits holds nothing.
   * @throws DomainError service_unavailable where too many wait already
   */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Lets so many works run at once and so many more wait: for what is dear, beside much that is not. */
export function openAllowance({ atOnce, waiting }: { atOnce: number; waiting: number }): Allowance {
  let free = atOnce
  const queue: (() => void)[] = []
  const enter = async () => {
    if (free > 0) {
      free -= 1
      return
    }
    if (queue.length >= waiting) throw new DomainError('service_unavailable', { retryAfterSeconds: 2 })
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  const leave = () => {
    const next = queue.shift()
    if (next) next()
    else free += 1
  }
  return {
    run: async (work) => {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
