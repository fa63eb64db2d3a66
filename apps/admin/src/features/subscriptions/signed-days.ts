/** `+10`, `−3`. */
export const signedDays = (days: number): string => (days < 0 ? `−${Math.abs(days)}` : `+${days}`)
