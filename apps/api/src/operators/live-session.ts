const idleHours = 2

/** A session opens something while it was not ended, is not over, and was used in the last two hours. */
export const isLive = (now: Date) => ({
  revokedAt: null,
  expiresAt: { gt: now },
  lastSeenAt: { gt: new Date(now.getTime() - idleHours * 3_600_000) },
})
