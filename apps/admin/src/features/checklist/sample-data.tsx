'use client'

import type { Checklist, SampleData } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import type { Forbidden } from '../../session/operator-context.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './checklist.module.css'
import { playSample, SAMPLE_CONSENT, SAMPLE_DAYS } from './play-sample.ts'
import { hasSold } from './use-checklist.ts'

const WATCH_MS = 3_000

const FillDialog = dynamic(() => import('./fill-dialog.tsx').then((module) => module.FillDialog), {
  ssr: false,
})

const useWords = () => useTranslations('checklist.sample')

const shown = {
  icon: 'plus',
  permission: 'sample_data.play',
  words: (t: ReturnType<typeof useWords>) => ({
    label: t('label'),
    hint: t('hint'),
    forbidden: (who: Forbidden) => t('forbidden', who),
  }),
} as const

/** Before the first sale there is nothing that sample data could be mixed with: one press does it. */
const fillEmpty = defineAct(useWords, { ...shown, act: playSample })

const fillAmongOthers = defineDialogAct(useWords, {
  ...shown,
  dialog: (_: object, close) => <FillDialog onClose={close} />,
})

type StandingProps = { play: SampleData; phoneUrl: string | null; isEmpty: boolean }

function Standing({ play: { state, day, days }, phoneUrl, isEmpty }: StandingProps) {
  const t = useWords()
  const counts = { day: formatCount(day), days: formatCount(days) }
  if (state === 'unavailable') return null
  if (state === 'idle')
    return (
      <p>
        {t('lead')} {isEmpty && t('consequences', { days: formatCount(SAMPLE_DAYS) })}
      </p>
    )
  return (
    <p role="status">
      {t(`states.${state}`, counts)}{' '}
      {state === 'playing' && phoneUrl && (
        <a href={phoneUrl} target="_blank" rel="noopener">
          {t('watch')}
        </a>
      )}
    </p>
  )
}

/** A sandbox can fill itself; where it cannot, nothing is offered. */
export function SampleDataPanel({ checklist }: { checklist: Checklist }) {
  const t = useWords()
  const isEmpty = !hasSold(checklist)
  const { data } = useQuery({
    ...useTRPC().sampleData.show.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.state === 'playing' ? WATCH_MS : false),
  })
  if (!data || data.state === 'unavailable') return null
  const placed = { quiet: true, obstacle: data.state === 'playing' ? t('busy') : null }
  return (
    <Panel title={t('title')}>
      <div className={styles['placing']}>
        <Standing play={data} phoneUrl={checklist.phoneUrl} isEmpty={isEmpty} />
        {isEmpty ? (
          <DirectAct of={fillEmpty} input={SAMPLE_CONSENT} {...placed} />
        ) : (
          <DialogAct of={fillAmongOthers} {...placed} />
        )}
      </div>
    </Panel>
  )
}
