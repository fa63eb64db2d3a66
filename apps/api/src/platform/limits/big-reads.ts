import { type Allowance, openAllowance } from './allowance.ts'

/** Reports and account exports weigh up to a megabyte each: one connection of their door stays free of them. */
const bigReadsAllowed = { atOnce: 2, waiting: 100 }

/** What a process lets be read of them at once, whichever door asks. */
export const openBigReads = (): Allowance => openAllowance(bigReadsAllowed)
