/** What a whole run may take. */
export type TimeLimit = {
  limitMs: number
  /** What is left of it, in milliseconds; at least 1, because PostgreSQL takes 0 for no limit at all. */
  leftMs: () => number
  isOver: () => boolean
}

/** Starts now, by a clock that never jumps. */
export function startTimeLimit(limitMs: number): TimeLimit {
  const endsAtMs = performance.now() + limitMs
  return {
    limitMs,
    leftMs: () => Math.max(1, Math.ceil(endsAtMs - performance.now())),
    isOver: () => performance.now() >= endsAtMs,
  }
}

/** As a person reads it. */
export const spoken = (ms: number): string =>
  ms < 120_000 ? `${Number((ms / 1000).toFixed(1))} s` : `${Number((ms / 60_000).toFixed(1))} min`
