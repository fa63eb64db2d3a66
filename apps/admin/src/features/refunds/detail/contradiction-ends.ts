/** What is done about each end that a refund may have. */
export const ends = {
  succeeded: { word: 'accept', icon: 'check' },
  closed: { word: 'keep', icon: 'close' },
} as const
