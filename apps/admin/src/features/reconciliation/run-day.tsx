'use client'

import { DayReference } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { dayAfter } from '../../format.ts'
import { ActButton } from '../../kit/act/act-button.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { useToday } from '../../ui/clock.tsx'

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

export function RunDay({ date }: { date?: string }) {
  const t = useTranslations('reconciliation')
  const yesterday = dayAfter(useToday(), -1)
  return (
    <ActButton
      icon="sync"
      label={t('run')}
      hint={t('runActionHint')}
      quiet={date !== undefined}
      permission="reconciliation.resolve"
      forbidden={(who) => t('forbidden', who)}
      dialog={(close) => <RunDialog date={date ?? yesterday} onClose={close} />}
    />
  )
}
