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
