'use client'

import { type DayDetail, DayReference, formatFen } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { dayAfter } from '../../format.ts'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { typedWord } from '../../kit/act/typed.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { useToday } from '../../ui/clock.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'

const OLDEST_BILL_DAYS = 90

/** Has a day reconciled: its bills are fetched and compared by the next worker. */
function RunDialog({ date, onClose }: { date: string; onClose: () => void }) {
  const t = useTranslations('reconciliation')
  const yesterday = dayAfter(useToday(), -1)
  const days = { max: yesterday, min: dayAfter(yesterday, 1 - OLDEST_BILL_DAYS) }
  const hint = t('runHint', { days: OLDEST_BILL_DAYS })
  const run = useAct({
    call: (api) => api.reconciliation.requestRun.mutate,
    invalidates: ['reconciliation'],
    done: (_, asked) => t('runAsked', { date: asked.date }),
  })
  const look = (day: string) => ({ submitLabel: t('runDay', { date: day }) })
  return (
    <FormDialog
      title={t('runTitle')}
      lead={t('runLead')}
      {...look(date)}
      schema={DayReference}
      start={{ date }}
      incomplete={t('dayNeeded')}
      fields={[{ kind: 'line', name: 'date', label: t('date'), hint, type: 'date', ...days }]}
      vary={(typed) => look(typed.date)}
      act={run}
      onClose={onClose}
    />
  )
}

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

/** Closes a day, confirmed by typing which one it is; the API may still say why it stays open. */
function CloseDialog({ day, onClose }: { day: DayDetail; onClose: () => void }) {
  const t = useTranslations('reconciliation')
  const { date } = day
  const close = useAct({
    call: (api) => api.reconciliation.closeDay.mutate,
    invalidates: ['reconciliation'],
    done: ({ verdict }) => (verdict === 'closed' ? t('dayClosed', { date }) : null),
    after: ({ verdict }) => verdict === 'closed' && onClose(),
  })
  const { verdict = 'closed' } = close.output ?? {}
  const refused = verdict === 'closed' ? null : t(`verdicts.${verdict}`)
  const sums = (['orderFen', 'ledgerFen', 'billFen'] as const).map((key) => ({
    key,
    term: t(`sums.${key}`),
    value: formatFen(day[key]),
  }))
  return (
    <FormDialog
      title={t('closeTitle', { date })}
      lead={t('closeLead')}
      submitLabel={t('closeDay', { date })}
      schema={DayReference.extend({ typed: typedWord(date) })}
      start={{ date, typed: '' }}
      incomplete={t('typeDate', { date })}
      fields={[
        { kind: 'shown', name: 'sums', shown: <DescriptionList items={sums} /> },
        { kind: 'line', name: 'typed', label: t('typedDate'), hint: t('typeDate', { date }) },
      ]}
      act={{ ...close, run: () => close.run({ date }) }}
      failure={close.failure?.title ?? refused}
      onClose={onClose}
    />
  )
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
