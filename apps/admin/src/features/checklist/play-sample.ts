import { SAMPLE_DATA_WORD } from '@meridian/contracts'
import type { useTranslations } from 'next-intl'
import type { ActDefinition } from '../../kit/act/use-act.ts'

/** About how many days are played. */
export const SAMPLE_DAYS = 90

/** What the API asks for before it has a sandbox filled. */
export const SAMPLE_CONSENT = { confirmation: SAMPLE_DATA_WORD } as const

/** Has the sandbox fill itself. */
export const playSample = (
  t: ReturnType<typeof useTranslations<'checklist.sample'>>,
): ActDefinition<typeof SAMPLE_CONSENT, unknown> => ({
  call: (api) => api.sampleData.play.mutate,
  invalidates: ['sampleData'],
  done: () => t('started'),
})
