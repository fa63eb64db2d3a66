/** So many points in so many seconds for each key; `alone` where every process counts for itself by contract. */
export type LimitRule = { name: string; points: number; seconds: number; alone?: boolean }

/** What is counted beside the limits of `RATE_LIMITS`; the numbers are those of the contract's *Limits*. */
export const limitRules = {
  consoleCalls: { name: 'console', points: 600, seconds: 60 },
  /** Failed sign-ins of one account from one address, of all accounts from one, of one from all, and of all. */
  signIns: { name: 'sign-in', points: 10, seconds: 60 },
  signInsOfAddress: { name: 'sign-in-address', points: 60, seconds: 60 },
  signInsOfAccount: { name: 'sign-in-account', points: 20, seconds: 60 },
  allSignIns: { name: 'sign-in-all', points: 300, seconds: 60 },
  /** Where an account has signed in well before, strangers take nothing off its allowance. */
  knownSignIns: { name: 'sign-in-known', points: 10, seconds: 60 },
  /** Who guesses codes has the password already: this slows nobody else down. */
  codes: { name: 'code', points: 10, seconds: 600 },
  refusedNotifications: { name: 'refused-notifications', points: 500, seconds: 1, alone: true },
} as const satisfies Readonly<Record<string, LimitRule>>
