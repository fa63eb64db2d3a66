'use client'

import { formatFen, LateDecision, ParkedDecision, type ParkedOrder } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import styles from './alerts.module.css'

export type Decidable = ParkedOrder & {
  amountFen: number
  durationDays: number
  granted: boolean
  status: string
}

export const isLate = ({ parkReason }: { parkReason: string }) => parkReason === 'late_payment'

type Choice = LateDecision | ParkedDecision

/** What may be chosen for this order: an order that was paid without days cannot simply go on. */
function choicesOf(order: Decidable): readonly Choice[] {
  if (isLate(order)) return LateDecision.options
  const lacksDays = order.status === 'paid' && !order.granted
  return ParkedDecision.options.filter((choice) =>
    choice === 'activate' ? lacksDays : choice === 'release' ? !lacksDays : true,
  )
}

function useDecision(order: Decidable, onClose: () => void) {
  const t = useTranslations('alerts')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const onSuccess = async ({ parked: waits }: { parked: boolean }, { decision }: { decision: Choice }) => {
    announce(waits && decision === 'refund' ? said('nowWaiting') : t('decided'))
    onClose()
    await Promise.all([
      queryClient.invalidateQueries(trpc.alert.pathFilter()),
      queryClient.invalidateQueries(trpc.order.pathFilter()),
    ])
  }
  const late = useMutation(trpc.order.decideLate.mutationOptions({ onSuccess }))
  const parked = useMutation(trpc.order.decide.mutationOptions({ onSuccess }))
  const decide = (decision: Choice, note: string) => {
    const { outTradeNo, parkReason } = order
    const asLate = LateDecision.safeParse(decision)
    const asParked = ParkedDecision.safeParse(decision)
    if (isLate(order)) {
      if (asLate.success) late.mutate({ outTradeNo, parkReason, decision: asLate.data, note })
    } else if (asParked.success) parked.mutate({ outTradeNo, parkReason, decision: asParked.data, note })
  }
  return { decide, isPending: late.isPending || parked.isPending, error: late.error ?? parked.error }
}

/** The verb and its object. */
function useChoiceLabel({ durationDays, amountFen }: Decidable): (choice: Choice) => string {
  const t = useTranslations('alerts.choices')
  return (choice) => {
    if (choice === 'activate') return t('activate', { days: durationDays })
    return choice === 'refund' ? t('refund', { amount: formatFen(amountFen) }) : t(choice)
  }
}

const SHORTEST_NOTE = 2

/** Decides, once, what becomes of a parked order. */
export function DecideDialog({ order, onClose }: { order: Decidable; onClose: () => void }) {
  const t = useTranslations('alerts')
  const failureOf = useFailure()
  const choices = choicesOf(order)
  const [choice, setChoice] = useState<Choice | null>(null)
  const [note, setNote] = useState('')
  const { decide, isPending, error } = useDecision(order, onClose)
  const labelOf = useChoiceLabel(order)
  const disabledReason =
    choice === null ? t('choiceNeeded') : note.trim().length < SHORTEST_NOTE ? t('noteNeeded') : null
  return (
    <Dialog
      title={t('decideTitle', { outTradeNo: order.outTradeNo })}
      lead={t(isLate(order) ? 'lateLead' : 'parkedLead')}
      submitLabel={choice ? labelOf(choice) : t('decide')}
      disabledReason={disabledReason}
      danger={choice === 'refund'}
      submitting={isPending}
      failure={failureOf(error)?.title ?? null}
      onSubmit={() => choice && decide(choice, note.trim())}
      onClose={onClose}
    >
      <fieldset className={styles['choices']} aria-label={t('decision')}>
        {choices.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name="decision"
              checked={choice === option}
              onChange={() => setChoice(option)}
            />
            {labelOf(option)}
            <small>{t(`effects.${option}`)}</small>
          </label>
        ))}
      </fieldset>
      <Field label={t('note')} hint={t('noteHint')}>
        {(attributes) => (
          <Input.TextArea
            {...attributes}
            rows={2}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
