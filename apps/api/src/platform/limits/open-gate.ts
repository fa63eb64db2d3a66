import { DomainError } from '../../domain-error.ts'

type Room = { running: number; waiting: number }

/**
 * Lets so much work run at a time and so much wait, first come, first served. Work may bring a smaller number of its
 * own of those that may wait before it, so that room is left for other work.
 * @throws DomainError rate_limited when there is no room to wait
 */
export function openGate({ running, waiting }: Room) {
  let busy = 0
  const queue: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>, room = waiting): Promise<Result> => {
    if (busy < running) busy += 1
    else if (queue.length >= Math.min(room, waiting))
      throw new DomainError('rate_limited', { retryAfterSeconds: 1 })
    // Whoever leaves hands their place on.
    else await new Promise<void>((enter) => queue.push(enter))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else busy -= 1
    }
  }
}
