/**
 * One column of a row: which types of PostgreSQL it may have, by their numbers (`pg_type.oid`), and which values the
 * driver makes of them. Checked against what the server describes while the tests run, and never in production.
 */
export type Column<Value> = {
  readonly type: string
  readonly fits: (oid: number) => boolean
  readonly accepts: (value: unknown) => value is Value
}

export type Columns = Readonly<Record<string, Column<unknown>>>
export type RowOf<Declared extends Columns> = {
  [Name in keyof Declared]: Declared[Name] extends Column<infer Value> ? Value : never
}

const ofType =
  (...oids: readonly number[]) =>
  (oid: number) =>
    oids.includes(oid)
const isText = ofType(25, 1043, 2950, 1082)
/** From here on PostgreSQL numbers the types that a database made itself (FirstNormalObjectId): its enums. */
const isEnum = (oid: number) => oid >= 16_384

const isString = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isBigint = (value: unknown): value is bigint => typeof value === 'bigint'
const isInstant = (value: unknown): value is Date => value instanceof Date
const isBytes = (value: unknown): value is Buffer => Buffer.isBuffer(value)

export const column = {
  /** Whatever the driver gives as text: text, varchar, uuid, date (a calendar day, as `2026-11-22`), enums. */
  text: { type: 'text', fits: (oid) => isText(oid) || isEnum(oid), accepts: isString },
  integer: { type: 'int4', fits: ofType(23, 21), accepts: isNumber },
  real: { type: 'float8', fits: ofType(701), accepts: isNumber },
  /** Either of the two. */
  number: { type: 'int4 or float8', fits: ofType(21, 23, 700, 701), accepts: isNumber },
  bigint: { type: 'int8', fits: ofType(20), accepts: isBigint },
  boolean: { type: 'bool', fits: ofType(16), accepts: isBoolean },
  instant: { type: 'timestamptz', fits: ofType(1184), accepts: isInstant },
  bytes: { type: 'bytea', fits: ofType(17), accepts: isBytes },
  texts: {
    type: 'text[]',
    fits: ofType(1009, 1015),
    accepts: (value: unknown): value is string[] => Array.isArray(value) && value.every(isString),
  },
} as const satisfies Columns

/** A text or an enum that is one of these words. */
export const oneOf = <const Word extends string>(words: readonly Word[]): Column<Word> => ({
  type: words.join(' | '),
  fits: column.text.fits,
  accepts: (value): value is Word => words.some((word) => word === value),
})

/** The same column where it may be empty. */
export const nullable = <Value>({ type, fits, accepts }: Column<Value>): Column<Value | null> => ({
  type: `${type} or null`,
  fits,
  accepts: (value): value is Value | null => value === null || accepts(value),
})

/** A column of type json or jsonb of the shape that `schema` describes. */
export const json = <Shape>(schema: {
  safeParse(value: unknown): { success: boolean; data?: Shape | undefined }
}): Column<Shape> => ({
  type: 'json',
  fits: ofType(114, 3802),
  accepts: (value): value is Shape => schema.safeParse(value).success,
})

type Described = { readonly name: string; readonly dataTypeID: number }

/** What the server says of a result and the declaration does not, one sentence each. */
export function compareColumns(
  declared: Columns,
  fields: readonly Described[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string[] {
  const found = new Set(fields.map(({ name }) => name))
  const missing = Object.keys(declared).filter((name) => !found.has(name))
  const differing = fields.flatMap(({ name, dataTypeID }) => {
    const column = declared[name]
    if (!column) return [`"${name}" is not declared`]
    if (!column.fits(dataTypeID)) return [`"${name}" is declared ${column.type} and has type ${dataTypeID}`]
    const strange = rows.find((row) => !column.accepts(row[name]))
    return strange ? [`"${name}" is declared ${column.type} and holds ${String(strange[name])}`] : []
  })
  return [...missing.map((name) => `"${name}" is declared and not there`), ...differing]
}
