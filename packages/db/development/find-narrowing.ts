import type { Column, Demands, Rule } from './read-demands.ts'

/**
 * What a program written for the old schema may stumble over in the new one: one line per object, under its name. What
 * no machine can decide (whether a changed check or trigger refuses more than before) is a line too.
 */
export function findNarrowing(before: Demands, after: Demands): Map<string, string> {
  return new Map([
    ...changes(before.columns, after.columns, judgeColumn).map(named('column ')),
    ...[...after.columns].filter(isDemanded(before)).map(demanded),
    ...changes(before.rules, after.rules, judgeRule),
    ...[...after.rules].filter(isNewRule(before, after)).map(added),
    ...changes(before.functions, after.functions, (was, is) =>
      is === undefined ? 'is gone' : was.result === is.result ? changedBody(was, is) : 'answers another type',
    ),
    ...changes(before.enums, after.enums, judgeEnum).map(named('enum ')),
  ])
}

type Line = [name: string, text: string]

function changes<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  judge: (was: T, is: T | undefined) => string | null,
): Line[] {
  return [...before].flatMap(([name, was]): Line[] => {
    const text = judge(was, after.get(name))
    return text === null ? [] : [[name, text]]
  })
}

const named =
  (kind: string) =>
  ([name, text]: Line): Line => [`${kind}${name}`, text]

function judgeColumn(was: Column, is: Column | undefined): string | null {
  if (is === undefined) return 'is gone'
  if (was.type !== is.type) return `was ${was.type}, is ${is.type}`
  if (was.mayBeNull !== is.mayBeNull) return is.mayBeNull ? 'may be NULL now' : 'may not be NULL any more'
  if (was.hasDefault && !is.hasDefault) return 'has no default any more'
  return is.isGenerated && !was.isGenerated ? 'cannot be written any more' : null
}

const tablesOf = ({ columns }: Pick<Demands, 'columns'>) =>
  new Set([...columns.keys()].map((name) => name.split('.')[0]))

/** A new column of an old table that every insert has to name. */
function isDemanded(before: Demands) {
  const tables = tablesOf(before)
  return ([name, { mayBeNull, hasDefault, isGenerated }]: [string, Column]) =>
    tables.has(name.split('.')[0]) && !before.columns.has(name) && !(mayBeNull || hasDefault || isGenerated)
}

const demanded = ([name]: [string, Column]): Line => [
  `column ${name}`,
  'is new and has to be written: neither NULL nor a default',
]

// ON CONFLICT names a unique index by its columns; a check or a foreign key that is gone refuses nothing.
function judgeRule(was: Rule, is: Rule | undefined): string | null {
  if (is === undefined) return /[pux]/.test(was.kind) ? 'is gone, and ON CONFLICT may name it' : null
  return was.definition === is.definition ? null : `was ${was.definition}, is ${is.definition}`
}

/** A new rule of an old table that may refuse what the old program writes. */
function isNewRule({ columns, rules }: Demands, after: Demands) {
  const tables = tablesOf({ columns })
  return ([name, rule]: [string, Rule]) =>
    tables.has(rule.table) &&
    !rules.has(name) &&
    !holdsForDefaults(rule, { before: columns, after: after.columns })
}

type Columns = { before: ReadonlyMap<string, Column>; after: ReadonlyMap<string, Column> }

// The old program leaves new columns to their defaults, for which a check or foreign key of those alone holds: existing
// rows had to pass it. And NULL in one column satisfies a foreign key or a unique index as they ordinarily are.
function holdsForDefaults({ kind, table, columns, definition }: Rule, { before, after }: Columns): boolean {
  const added = columns.filter((column) => !before.has(`${table}.${column}`))
  const staysNull = (column: string) => after.get(`${table}.${column}`)?.hasDefault === false
  if (/[cf]/.test(kind) && columns.length > 0 && added.length === columns.length) return true
  return /[fu]/.test(kind) && !/NULLS NOT DISTINCT|MATCH FULL/.test(definition) && added.some(staysNull)
}

const added = ([name, { definition }]: [string, Rule]): Line => [name, `is new: ${definition}`]

const changedBody = (was: { body: string }, is: { body: string }) =>
  was.body === is.body ? null : 'has another body'

function judgeEnum(was: readonly string[], is: readonly string[] | undefined): string | null {
  if (is === undefined) return 'is gone'
  const lost = was.filter((value) => !is.includes(value))
  return lost.length === 0 ? null : `has lost ${lost.join(', ')}`
}
