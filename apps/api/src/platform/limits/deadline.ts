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
  const error = new DeadlineError(ms)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
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
