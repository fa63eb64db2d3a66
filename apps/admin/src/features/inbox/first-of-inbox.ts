import type { InboxQuery } from '@meridian/contracts'

/** What the overview shows of the queue: the most urgent that the operator may act on. */
export const firstOfInbox: InboxQuery = { view: 'you', limit: 5 }
