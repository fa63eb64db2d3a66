import { parseAsNumberLiteral } from 'nuqs/server'

/** The most is what the API gives at once. */
export const rowsPerPage = [20, 50, 100] as const

export const parseAsRowsPerPage = parseAsNumberLiteral(rowsPerPage).withDefault(20)
