/** Whether something is what it should be. What an answer holds beyond that is left in it: it may come of a newer API. */
export type Check<Value> = (value: unknown) => value is Value
export type Checked<Checking> = Checking extends Check<infer Value> ? Value : never

type Members = { [name: string]: Check<unknown> }
type Shape<Needed extends Members, Optional extends Members> = {
  [Name in keyof Needed]: Checked<Needed[Name]>
} & { [Name in keyof Optional]?: Checked<Optional[Name]> | undefined }
/** The same type, written out. */
type Flat<Value> = { [Name in keyof Value]: Value[Name] }

export const text = (value: unknown): value is string => typeof value === 'string'
export const number = (value: unknown): value is number => typeof value === 'number'
export const flag = (value: unknown): value is boolean => typeof value === 'boolean'
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const anything = (_value: unknown): _value is unknown => true

export const oneOf =
  <Value extends string>(...values: Value[]): Check<Value> =>
  (value): value is Value =>
    values.some((one) => one === value)

export const anyOf =
  <Value>(...checks: Check<Value>[]): Check<Value> =>
  (value): value is Value =>
    checks.some((is) => is(value))

export const orNull =
  <Value>(is: Check<Value>): Check<Value | null> =>
  (value): value is Value | null =>
    value === null || is(value)

export const listOf =
  <Value>(is: Check<Value>): Check<Value[]> =>
  (value): value is Value[] =>
    Array.isArray(value) && value.every((one) => is(one))

/** An object with these members, and those of the second kind where it has them. */
export function shape<Needed extends Members, Optional extends Members = Record<never, never>>(
  needed: Needed,
  optional?: Optional,
): Check<Flat<Shape<Needed, Optional>>> {
  const musts = Object.entries(needed)
  const mays = Object.entries(optional || {})
  return (value): value is Flat<Shape<Needed, Optional>> =>
    isRecord(value) &&
    musts.every(([name, is]) => is(value[name])) &&
    mays.every(([name, is]) => value[name] === undefined || is(value[name]))
}
