const words = {
  visits: 'visits',
  reports: 'measurements and treatments',
  bought: 'plans bought',
  late: 'paid too late',
  unpaid: 'left unpaid',
  refunds: 'refunds asked for',
  approved: 'refunds decided by a second person',
  gifts: 'gifts of days',
  closed: 'days closed',
  tags: 'tags set',
  notes: 'notes written',
} as const

export type Tallied = keyof typeof words

/** What has been played, counted. */
export type Tally = Map<Tallied, number>

export const count = (tally: Tally, what: Tallied): unknown => tally.set(what, (tally.get(what) ?? 0) + 1)

export const inWords = (tally: Tally): string =>
  [...tally].map(([what, many]) => `${many} ${words[what]}`).join(', ') || 'nothing'
