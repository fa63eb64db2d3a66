const dayMs = 86_400_000

/** How many days of 24 hours lie between now and an end, a begun one counted: 0 exactly when the end has come. */
export const daysLeft = (end: Date, now: Date): number =>
  Math.max(0, Math.ceil((end.getTime() - now.getTime()) / dayMs))
