'use client'

import type { DraftProgram } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useListKeys } from '../../ui/use-list-keys.ts'
import { BodyPartsForm } from './body-parts-form.tsx'
import styles from './diagnosis.module.css'
import { ProgramForm } from './program-form.tsx'
import type { EditedDraft } from './use-draft.ts'

const emptyProgram: DraftProgram = {
  code: '',
  name: '',
  body_part: '',
  waveform: 'biphasic',
  frequency_hz: null,
  pulse_width_us: null,
  intensity_min: null,
  intensity_max: null,
  intensity_default: null,
  duration_minutes: 15,
  contraindications: [],
  premium: false,
}

/** The draft as a form. */
export function DraftForm({ draft }: { draft: EditedDraft }) {
  const t = useTranslations('diagnosis')
  const { content, setContent } = draft
  const { keyOf, forget } = useListKeys(content.programs.length)
  const set = (programs: DraftProgram[]) => setContent({ ...content, programs })
  return (
    <div className={styles['rows']}>
      <BodyPartsForm draft={draft} />
      <Panel title={t('programs')}>
        <div className={styles['programs']}>
          {content.programs.map((program, place) => (
            <ProgramForm
              key={keyOf(place)}
              draft={draft}
              place={place}
              program={program}
              change={(changes) =>
                set(content.programs.map((one, at) => (at === place ? { ...one, ...changes } : one)))
              }
              remove={() => {
                forget(place)
                set(content.programs.filter((_, at) => at !== place))
              }}
            />
          ))}
        </div>
        <Button icon={<Icon name="plus" />} onClick={() => set([...content.programs, emptyProgram])}>
          {t('addProgram')}
        </Button>
      </Panel>
    </div>
  )
}
