'use client'

import {
  type DayDetail,
  DayReference,
  type Difference,
  DifferenceResolution,
  formatFen,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { dayAfter } from '../../format.ts'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { typedWord } from '../../kit/act/typed.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { useToday } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'

const OLDEST_BILL_DAYS = 90

/** Has a day reconciled: its bills are fetched and compared by the next worker. */
export function RunDialog({ date, onClose }: { date: string; onClose: () => void }) {
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

/** Closes a day, confirmed by typing which one it is; the API may still say why it stays open. */
export function CloseDialog({ day, onClose }: { day: DayDetail; onClose: () => void }) {
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

/** Says how a difference ended. */
export function ResolveDialog({
  difference: { id, kind },
  onClose,
}: {
  difference: Difference
  onClose: () => void
}) {
  const t = useTranslations('reconciliation')
  const resolve = useAct({
    call: (api) => api.reconciliation.resolve.mutate,
    invalidates: ['reconciliation', 'inbox', 'alert'],
    done: () => t('resolved'),
  })
  return (
    <FormDialog
      title={t('resolveTitle', { kind: t(`kinds.${kind}`) })}
      lead={t('resolveLead')}
      submitLabel={t('resolve')}
      schema={DifferenceResolution}
      start={{ id, resolution: '' }}
      incomplete={t('wordNeeded')}
      fields={[{ kind: 'text', name: 'resolution', label: t('word'), hint: t('wordHint'), rows: 3 }]}
      act={resolve}
      onClose={onClose}
    />
  )
}
