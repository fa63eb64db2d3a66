import { parseAsNumberLiteral } from 'nuqs/server'

/** The most is what the API gives at once. */
export const rowsPerPage = [20, 50, 100] as const
export type RowsPerPage = (typeof rowsPerPage)[number]

export const USUAL_ROWS = 20

export const parseAsRowsPerPage = parseAsNumberLiteral(rowsPerPage).withDefault(USUAL_ROWS)
