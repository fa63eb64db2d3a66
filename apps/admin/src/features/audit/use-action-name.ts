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
