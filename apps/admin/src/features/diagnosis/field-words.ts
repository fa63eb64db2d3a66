import type { DiagnosisFault } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'

type Words = Readonly<Record<string, string>>

/** What the members of a configuration are called. */
export function useFieldName(): (name: string) => string {
  const words: Words = useMessages().diagnosis.fields
  return (name) => words[name] ?? name
}

/** The fault at a place of the configuration, in words. */
export function useFaultAt(faults: readonly DiagnosisFault[]): (path: string) => string | null {
  const t = useTranslations('diagnosis.faults')
  return (path) => {
    const fault = faults.find((one) => one.path === path)
    return fault ? t(fault.code) : null
  }
}
