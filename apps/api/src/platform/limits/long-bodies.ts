import { type Allowance, openAllowance } from './allowance.ts'

/** A body that waits is in memory: a hundred reports of 256 KiB at the most. */
const longBodiesAllowed = { atOnce: 1, waiting: 100 }

/** How many long bodies of a process wait for their slice of the event loop. */
export const openLongBodies = (): Allowance => openAllowance(longBodiesAllowed)
