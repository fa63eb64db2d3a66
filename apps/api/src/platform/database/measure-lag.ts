/** Up to where the log of a server was at a moment of this program's own clock. */
export type Mark = { position: bigint; atMs: number }

const rememberedMs = 60_000

/**
 * Measures how far a standby is behind by what its primary said: all that was committed by a moment lies before the
 * position asked for after it. So an idle primary makes nobody late, and a standby that receives nothing any more is
 * late as soon as there is something to receive (neither is true of the age of the last replayed transaction).
 */
export function measureLag() {
  let marks: Mark[] = []
  return {
    /** The primary's log had come so far when it was asked. */
    mark: ({ position, atMs }: Mark) => {
      const last = marks.at(-1)
      // Another primary that knows less: what was said of the log before holds no longer.
      if (last && position < last.position) marks = []
      // At the same position only the latest moment counts.
      marks = marks.filter((mark) => mark.position !== position && atMs - mark.atMs <= rememberedMs)
      marks.push({ position, atMs })
    },
    /** How much older what was replayed up to here is than the moment; infinite where nothing is known of it. */
    behindMs: (position: bigint, nowMs: number): number => {
      const reached = marks.findLast((mark) => mark.position <= position)
      return reached ? Math.max(0, nowMs - reached.atMs) : Number.POSITIVE_INFINITY
    },
    /** When the primary was asked last; null before. */
    markedAtMs: (): number | null => marks.at(-1)?.atMs ?? null,
  }
}
