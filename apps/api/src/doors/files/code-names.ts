import { featureWords, type Words } from '@meridian/contracts'
import type { Language } from '../problem.ts'

type Named = Record<keyof Words, Readonly<Record<string, string>>>

/** What a code is called; one that is newer than these words is told as it is. */
export const named = (names: Named, language: Language, code: string | null): string | null =>
  code === null ? null : (names[language][code] ?? code)

const listMark = { zh: '、', en: ', ' } as const satisfies Words

/** Features by what they are called. */
export const featuresIn = (features: readonly string[], language: Language): string =>
  features.map((feature) => named(featureWords, language, feature)).join(listMark[language])
