'use client'

import {
  DecideLate,
  DecideParked,
  formatFen,
  isByApple,
  LateDecision,
  ParkedDecision,
  ResolveAlert as ResolvedAlert,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { type Act, useAct } from '../../kit/act/use-act.ts'
import layout from '../../ui/layout.module.css'
import styles from './alerts.module.css'
import { type Decidable, isLate } from './decidable.ts'

const Resolution = ResolvedAlert.pick({ resolution: true })

type WordDialogProps = {
  title: string
  lead: string
  act: Pick<Act<{ resolution: string }>, 'run' | 'busy' | 'failure'>
  onClose: () => void
}

/** Asks for the resolution note of one or several alerts. */
export function WordDialog(props: WordDialogProps) {
  const t = useTranslations('alerts')
  return (
    <FormDialog
      {...props}
      submitLabel={t('resolve')}
      schema={Resolution}
      start={{ resolution: '' }}
      incomplete={t('noteNeeded')}
      fields={[{ kind: 'text', name: 'resolution', label: t('word'), hint: t('wordHint'), rows: 3 }]}
    />
  )
}

export type ResolvedProps = { id: string; kind: string }

export function ResolveDialog({ id, kind, onClose }: ResolvedProps & { onClose: () => void }) {
  const t = useTranslations('alerts')
  const resolve = useAct({
    call:
      (api) =>
      ({ resolution }: { resolution: string }) =>
        api.alert.resolve.mutate({ id, resolution }),
    invalidates: ['alert'],
    done: () => t('resolved'),
  })
  return (
    <WordDialog title={t('resolveTitle', { kind })} lead={t('resolveLead')} act={resolve} onClose={onClose} />
  )
}

function leadOf(order: Decidable): 'lateByAppleLead' | 'lateLead' | 'parkedLead' {
  if (!isLate(order)) return 'parkedLead'
  return isByApple(order) ? 'lateByAppleLead' : 'lateLead'
}

type Choice = LateDecision | ParkedDecision

/**
 * What may be chosen for this order: an order that was paid without days cannot simply go on, and what Apple took only
 * Apple gives back.
 */
function choicesOf(order: Decidable): readonly Choice[] {
  if (isLate(order)) return LateDecision.options.filter((choice) => choice !== 'refund' || !isByApple(order))
  const lacksDays = order.status === 'paid' && !order.granted
  return ParkedDecision.options.filter((choice) =>
    choice === 'activate' ? lacksDays : choice === 'release' ? !lacksDays : true,
  )
}

/** The label of a choice: a verb and its object. */
function useChoiceLabel({ durationDays, amountFen }: Decidable): (choice: Choice) => string {
  const t = useTranslations('alerts.choices')
  return (choice) => {
    if (choice === 'activate') return t('activate', { days: durationDays })
    return choice === 'refund' ? t('refund', { amount: formatFen(amountFen) }) : t(choice)
  }
}

/** The form of the decision, and what changes in it with what is chosen. */
function useDecisionForm(order: Decidable) {
  const t = useTranslations('alerts')
  const labelOf = useChoiceLabel(order)
  const options = choicesOf(order).map((choice) => ({
    value: choice,
    label: labelOf(choice),
    note: t(`effects.${choice}`),
  }))
  const look = (choice: Choice | undefined) => ({
    submitLabel: choice ? labelOf(choice) : t('decide'),
    danger: choice === 'refund',
    incomplete: t(choice ? 'noteNeeded' : 'choiceNeeded'),
  })
  return {
    title: t('decideTitle', { outTradeNo: order.outTradeNo }),
    lead: t(leadOf(order)),
    ...look(undefined),
    fields: [
      {
        kind: 'choice',
        name: 'decision',
        label: t('decision'),
        options,
        className: `${layout['choices']} ${styles['choices']}`,
      },
      { kind: 'text', name: 'note', label: t('note'), hint: t('noteHint'), rows: 2 },
    ] as const,
    vary: ({ decision }: { note: string; decision?: Choice }) => look(decision),
  }
}

function useDecided() {
  const t = useTranslations('alerts')
  const said = useTranslations('approvals')
  return {
    invalidates: ['alert', 'order'] as const,
    done: ({ parked }: { parked: boolean }, { decision }: { decision: Choice }) =>
      parked && decision === 'refund' ? said('nowWaiting') : t('decided'),
  }
}

/** Decides, once, what becomes of a parked order. */
export function DecideDialog({ order, onClose }: { order: Decidable; onClose: () => void }) {
  const form = useDecisionForm(order)
  const decided = useDecided()
  const late = useAct({ call: (api) => api.order.decideLate.mutate, ...decided })
  const parked = useAct({ call: (api) => api.order.decide.mutate, ...decided })
  const { outTradeNo, parkReason } = order
  const start = { outTradeNo, parkReason, note: '' }
  return isLate(order) ? (
    <FormDialog {...form} schema={DecideLate} start={start} act={late} onClose={onClose} />
  ) : (
    <FormDialog {...form} schema={DecideParked} start={start} act={parked} onClose={onClose} />
  )
}
