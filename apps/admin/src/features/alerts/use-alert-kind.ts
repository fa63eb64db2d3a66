import { useMessages } from 'next-intl'

/** The word for a kind; one that is newer than this console is shown as it is. */
export function useAlertKind(): (kind: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().alerts.kinds
  return (kind) => words[kind] ?? kind
}
