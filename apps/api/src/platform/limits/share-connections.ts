/** Who has connections of its own: the doors, the job library (its listening one apart) and whoever sounds an alarm. */
type Sharer = 'payments' | 'phones' | 'console' | 'jobs' | 'queue' | 'alarms'

/** How many connections each of them may open. */
export type ConnectionShares = Readonly<Record<Sharer, number>>

type Role = 'api' | 'worker' | 'all'

/**
 * Who takes part in a process of each role; the first ones take what is left in this order, over and over. Whoever takes
 * no part keeps one, which is never opened.
 */
const turns: Readonly<Record<Role, { once: readonly Sharer[]; rest: readonly Sharer[] }>> = {
  api: {
    once: ['payments', 'phones', 'console', 'jobs', 'alarms'],
    rest: ['payments', 'phones', 'console', 'alarms', 'payments'],
  },
  all: {
    once: ['payments', 'phones', 'console', 'jobs', 'queue', 'alarms'],
    rest: ['payments', 'phones', 'console', 'payments', 'jobs'],
  },
  worker: { once: ['jobs', 'queue', 'alarms'], rest: ['jobs', 'jobs', 'alarms', 'queue', 'jobs'] },
}

/**
 * Shares the connections of one process, `DATABASE_POOL_SIZE`, out: never more in all, and one at least for whoever
 * works in a process of this role. The connection on which the job library listens is apart.
 */
export function shareConnections(size: number, role: Role): ConnectionShares {
  const { once, rest } = turns[role]
  const shares = { payments: 1, phones: 1, console: 1, jobs: 1, queue: 1, alarms: 1 }
  for (let at = 0; at < size - once.length; at++) {
    const sharer = rest[at % rest.length]
    if (sharer) shares[sharer] += 1
  }
  return shares
}
