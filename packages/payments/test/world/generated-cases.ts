import fc from 'fast-check'

const deep = process.env['MERIDIAN_DEEP'] === '1'

/** How many cases each property is tried with. */
export const numRuns = deep ? 100_000 : 2_000
export const timeout = deep ? 60 * 60_000 : 300_000

export const anyText = fc.string({ unit: 'binary', maxLength: 300 })
