import { diagnosisFaultWords } from '@meridian/contracts'
import { useLocale, useMessages } from 'next-intl'
import type { EditedDraft } from './use-draft.ts'

type Words = Readonly<Record<string, string>>

/** What the members of a configuration are called. */
export function useFieldName(): (name: string) => string {
  const words: Words = useMessages().diagnosis.fields
  return (name) => words[name] ?? name
}

/** The fault at a place of the configuration, in words. */
export function useFaultAt({
  faults,
  bounds,
}: Pick<EditedDraft, 'faults' | 'bounds'>): (path: string) => string | null {
  const language = useLocale() === 'en' ? 'en' : 'zh'
  return (path) => {
    const fault = faults.find((one) => one.path === path)
    return fault ? diagnosisFaultWords(fault, bounds)[language] : null
  }
}
