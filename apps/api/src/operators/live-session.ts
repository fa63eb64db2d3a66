const idleHours = 2
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

/** A session opens something while it was not ended, is not over, and was used in the last two hours. */
export const isLive = () => ({
  revokedAt: null,
  expiresAt: { gt: new Date() },
  lastSeenAt: { gt: hoursAgo(idleHours) },
})
