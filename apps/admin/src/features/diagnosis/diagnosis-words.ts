import { type DiagnosisChange, type DiagnosisDesk, diagnosisFaultWords } from '@meridian/contracts'
import { useLocale, useMessages, useTranslations } from 'next-intl'
import { z } from 'zod'
import { formatList } from '../../format.ts'
import type { EditedDraft } from './desk-acts.tsx'

type Names = ReadonlyMap<string, string>

/** What body parts are called where these changes were made: as the changes leave them, else as the desk has them. */
export function partNames(desk: DiagnosisDesk | undefined, changes: readonly DiagnosisChange[]): Names {
  const known = [desk?.published.content, desk?.draft?.content].flatMap(
    (content) => content?.body_parts ?? [],
  )
  const changed = changes
    .filter(({ what }) => what === 'body_part')
    .flatMap(({ code, fields }) =>
      fields.filter(({ name }) => name === 'name').map(({ after }) => ({ code, name: after })),
    )
  return new Map([...known, ...changed].map(({ code, name }) => [code, name]))
}

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

const StringList = z.array(z.string())

/** A list, or null where it is none. */
function listOf(text: string): string[] | null {
  if (!text.startsWith('[')) return null
  return StringList.safeParse(JSON.parse(text)).data ?? null
}

/** A member of a configuration as a person reads it; null where it had no value. */
export function useFieldText(
  parts: ReadonlyMap<string, string>,
): (name: string, text: string) => string | null {
  const t = useTranslations('diagnosis')
  const waves: Words = useMessages().diagnosis.waveforms
  const language = useLocale()
  return (name, text) => {
    if (text === 'null') return null
    if (name === 'waveform') return waves[text] ?? text
    if (name === 'body_part') return parts.get(text) ?? text
    if (name === 'premium') return t(text === 'true' ? 'yes' : 'no')
    const list = name === 'contraindications' ? listOf(text) : null
    return list ? formatList(list, language) : text
  }
}
