import type { AlertKind } from '@meridian/contracts'
import { useMessages } from 'next-intl'

/** The word for a kind; one that is newer than this console is shown as it is. */
export function useAlertKind(): (kind: string) => string {
  const known: Readonly<Record<AlertKind, string>> = useMessages().alerts.kinds
  const words: Readonly<Record<string, string>> = known
  return (kind) => words[kind] ?? kind
}
