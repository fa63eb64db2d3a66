import { useMessages } from 'next-intl'

/** The word for an act; one that this console does not know yet is shown by its code. */
export function useActionName(): (action: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().audit.actions
  return (action) => words[action.replace('.', '_')] ?? action
}

/** The word for the kind of thing that was acted on; one that this console does not know yet is shown by its code. */
export function useSubjectName(): (subjectType: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().audit.subjects
  return (subjectType) => words[subjectType] ?? subjectType
}

type Change = { field: string; before: string | null; after: string | null; isChanged: boolean }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A recorded state field by field, nested ones by their path. */
function flatten(value: unknown, path: string): [string, string][] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, inner]) => flatten(inner, path ? `${path}.${key}` : key))
  }
  return value === null || value === undefined
    ? []
    : [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
}

/** What an act found and left, field by field in the order they were written. */
export function listChanges(before: unknown, after: unknown): Change[] {
  const [was, is] = [new Map(flatten(before, '')), new Map(flatten(after, ''))]
  return [...new Set([...was.keys(), ...is.keys()])].map((field) => {
    const pair = { before: was.get(field) ?? null, after: is.get(field) ?? null }
    return { field, ...pair, isChanged: pair.before !== pair.after }
  })
}
