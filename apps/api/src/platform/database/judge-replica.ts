import type { measureLag } from './measure-lag.ts'
import type { Pulse } from './take-pulse.ts'

/** Beyond that lists are read from the primary (SPEC §18). */
const mostLagMs = 10_000
/** A replica takes the primary's place only where it knew of every session that ended five seconds before (SPEC §20). */
const mostLagInItsPlaceMs = 5_000
/** While the primary is away the replica is read until it has been silent for so long, as a primary is (SPEC §18). */
const mostSilenceInItsPlaceMs = 5_000

/** How far behind it was when the primary last answered, since when nothing can have been acknowledged there. */
type Known = { replica: Pulse; lag: Pick<ReturnType<typeof measureLag>, 'behindMs' | 'markedAtMs'> }

/** Why lists may not be read from this server although it answers; null where they may. */
export function whyNotForLists(
  { replica, lag }: Known,
  { primary, nowMs }: { primary: Pulse | null; nowMs: number },
): string | null {
  if (primary && primary.identity !== replica.identity)
    return 'DATABASE_READ_URL is not a replica of DATABASE_URL'
  if (!replica.isStandby) return 'DATABASE_READ_URL is no standby'
  // A standby knows nothing that its primary had not written when it was asked later.
  if (primary && replica.answeredAtMs <= primary.askedAtMs && replica.position > primary.position)
    return 'its log is not that of the primary'
  const behindMs = lag.behindMs(replica.position, nowMs)
  return behindMs > mostLagMs ? 'more than 10 s behind the primary' : null
}

/**
 * Whether reads may go to this server while the primary does not answer. No other server can be read then, so one look
 * without an answer does not end it, as it ends the reading of lists.
 */
export function mayReplacePrimary(
  { replica, lag }: Known,
  { primary, nowMs }: { primary: Pulse | null; nowMs: number },
): boolean {
  const markedAtMs = lag.markedAtMs()
  if (markedAtMs === null || primary?.identity !== replica.identity) return false
  if (nowMs - replica.answeredAtMs > mostSilenceInItsPlaceMs) return false
  return lag.behindMs(replica.position, markedAtMs) <= mostLagInItsPlaceMs
}
