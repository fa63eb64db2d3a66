/**
 * Does the work under a signal that aborts after `ms` milliseconds, with a TimeoutError, or when the caller's own
 * signal does. The clock is held by this call: a composite of AbortSignal.any and AbortSignal.timeout may be collected
 * as garbage before it strikes, and what waits on it then waits for ever.
 */
export async function inTime<T>(
  { ms, signal }: { ms: number; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  const giveUp = () => controller.abort(signal?.reason)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
