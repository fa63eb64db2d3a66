'use client'

import type { SampleData } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './checklist.module.css'

const WATCH_MS = 3_000

const FillDialog = dynamic(() => import('./fill-dialog.tsx').then((module) => module.FillDialog), {
  ssr: false,
})

const fill = defineDialogAct(() => useTranslations('checklist.sample'), {
  icon: 'plus',
  permission: 'sample_data.play',
  words: (t) => ({ label: t('label'), hint: t('hint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (_: object, close) => <FillDialog onClose={close} />,
})

function Standing({ play: { state, day, days }, phoneUrl }: { play: SampleData; phoneUrl: string | null }) {
  const t = useTranslations('checklist.sample')
  const counts = { day: formatCount(day), days: formatCount(days) }
  if (state === 'unavailable') return null
  if (state === 'idle') return <p>{t('lead')}</p>
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
export function SampleDataPanel({ phoneUrl }: { phoneUrl: string | null }) {
  const t = useTranslations('checklist.sample')
  const { data } = useQuery({
    ...useTRPC().sampleData.show.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.state === 'playing' ? WATCH_MS : false),
  })
  if (!data || data.state === 'unavailable') return null
  return (
    <Panel title={t('title')}>
      <div className={styles['placing']}>
        <Standing play={data} phoneUrl={phoneUrl} />
        <DialogAct of={fill} quiet obstacle={data.state === 'playing' ? t('busy') : null} />
      </div>
    </Panel>
  )
}
