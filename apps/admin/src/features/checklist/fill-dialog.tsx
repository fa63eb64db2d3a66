'use client'

import { SAMPLE_DATA_WORD } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { formatCount } from '../../format.ts'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { typedWord } from '../../kit/act/typed.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { playSample, SAMPLE_CONSENT, SAMPLE_DAYS } from './play-sample.ts'

const typed = z.object({ confirmation: typedWord(SAMPLE_DATA_WORD) })

/** What filling a sandbox does, and the word that has to be typed. */
export function FillDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('checklist.sample')
  const play = useAct(playSample(t))
  return (
    <FormDialog
      title={t('title')}
      lead={t('consequences', { days: formatCount(SAMPLE_DAYS) })}
      submitLabel={t('label')}
      schema={typed}
      start={{ confirmation: '' }}
      incomplete={t('incomplete', { word: SAMPLE_DATA_WORD })}
      fields={[
        {
          kind: 'line',
          name: 'confirmation',
          label: t('confirm', { word: SAMPLE_DATA_WORD }),
          spellCheck: false,
          autoFocus: true,
        },
      ]}
      act={{ ...play, run: (_, done) => play.run(SAMPLE_CONSENT, done) }}
      onClose={onClose}
    />
  )
}
