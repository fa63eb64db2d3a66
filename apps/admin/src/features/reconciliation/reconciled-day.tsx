'use client'

import type { DayDetail, DayState, ReconciledDay } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { dayAfter } from '../../format.ts'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import { useToday } from '../../ui/date-time.tsx'
import layout from '../../ui/layout.module.css'
import styles from './reconciliation.module.css'

const looks: Record<DayState, Look> = {
  open: { tone: 'wait' },
  matched: { tone: 'info' },
  closed: { tone: 'ok' },
}

/** How far a day is, and what stands in the way: as badges in the head of its page, as words beside the one badge of a row. */
export function DayBadges({ day, inRow = false }: { day: ReconciledDay; inRow?: boolean }) {
  const t = useTranslations('reconciliation')
  const { openDifferences, adjustments, explained } = day
  const marks = [
    ...(day.state !== 'open' && !explained ? [{ tone: 'bad', word: t('unexplained') } as const] : []),
    ...(openDifferences > 0
      ? [{ tone: 'bad', word: t('openCount', { count: openDifferences }) } as const]
      : []),
    ...(adjustments > 0
      ? [{ tone: 'back', word: t('adjustmentCount', { count: adjustments }) } as const]
      : []),
  ]
  return (
    <span className={styles['badges']}>
      <Badge {...looks[day.state]}>{t(`states.${day.state}`)}</Badge>
      {inRow
        ? marks.length > 0 && (
            <span className={layout['note']}>{marks.map(({ word }) => word).join(' · ')}</span>
          )
        : marks.map(({ tone, word }) => (
            <Badge key={word} tone={tone}>
              {word}
            </Badge>
          ))}
    </span>
  )
}

const RunDialog = dynamic(() => import('./reconciliation-dialogs.tsx').then((module) => module.RunDialog), {
  ssr: false,
})
const CloseDialog = dynamic(
  () => import('./reconciliation-dialogs.tsx').then((module) => module.CloseDialog),
  {
    ssr: false,
  },
)

const useWords = () => useTranslations('reconciliation')

const runDay = defineDialogAct(useWords, {
  icon: 'sync',
  permission: 'reconciliation.resolve',
  words: (t) => ({ label: t('run'), hint: t('runActionHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ date }: { date: string }, close) => <RunDialog date={date} onClose={close} />,
})

export function RunDay({ date }: { date?: string }) {
  const yesterday = dayAfter(useToday(), -1)
  return <DialogAct of={runDay} quiet={date !== undefined} date={date ?? yesterday} />
}

/** Why the day cannot be closed now, as far as the page knows; the API decides. */
function useObstacle(day: DayDetail): string | null {
  const t = useTranslations('reconciliation')
  if (day.state === 'closed') return t('verdicts.already_closed')
  if (day.state === 'open') return t('verdicts.not_matched')
  if (day.openDifferences > 0) return t('verdicts.open_differences')
  return day.explained ? null : t('verdicts.unexplained')
}

const closeDay = defineDialogAct(useWords, {
  icon: 'checkCircle',
  permission: 'reconciliation.close_day',
  words: (t) => ({ label: t('close'), hint: t('closeHint'), forbidden: (who) => t('closeForbidden', who) }),
  dialog: ({ day }: { day: DayDetail }, close) => <CloseDialog day={day} onClose={close} />,
})

export function CloseDay({ day }: { day: DayDetail }) {
  return <DialogAct of={closeDay} day={day} obstacle={useObstacle(day)} />
}
