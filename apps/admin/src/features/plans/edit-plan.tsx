'use client'

import { isBeyondStep, type PlanDetail } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PlanFields } from './plan-fields.tsx'
import { formOfPlan, readPlanText } from './plan-form.ts'

/** Sends what a plan says now, and says what became of it. */
function usePlanEdit(onClose: () => void) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  return useMutation(
    trpc.plan.edit.mutationOptions({
      onSuccess: async (sheet) => {
        announce(sheet.waiting ? said('nowWaiting') : t('edited', { name: sheet.plan.name }))
        onClose()
        await queryClient.invalidateQueries(trpc.plan.pathFilter())
      },
      onError: () => queryClient.invalidateQueries(trpc.plan.pathFilter()),
    }),
  )
}

/** What was typed, whether a day then costs far more or less than now, and what is still missing. */
function usePlanEditForm(plan: PlanDetail) {
  const t = useTranslations('plans')
  const [form, setForm] = useState(() => formOfPlan(plan))
  const [typedDays, setTypedDays] = useState('')
  const { plan: read, faulty } = readPlanText(form)
  const days = read?.durationDays ?? plan.durationDays
  const isFar = isBeyondStep(plan, { ...plan, durationDays: days })
  const disabledReason =
    isFar && typedDays.trim() !== String(days) ? t('typeDays', { days: String(days) }) : null
  return { form, setForm, read, faulty, typedDays, setTypedDays, days, isFar, disabledReason }
}

type TypedDaysProps = { days: number; typed: string; change: (typed: string) => void }

/** The new duration once more, where the same price for it makes a day far dearer or cheaper: 365 that becomes 36. */
function TypedDays({ days, typed, change }: TypedDaysProps) {
  const t = useTranslations('plans')
  return (
    <Field label={t('typedDays')} hint={t('typeDays', { days: String(days) })}>
      {(attributes) => (
        <Input
          {...attributes}
          autoComplete="off"
          inputMode="numeric"
          maxLength={9}
          value={typed}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}

export function EditPlan({ plan, onClose }: { plan: PlanDetail; onClose: () => void }) {
  const t = useTranslations('plans')
  const failureOf = useFailure()
  const edit = usePlanEdit(onClose)
  const { form, setForm, read, faulty, typedDays, setTypedDays, days, isFar, disabledReason } =
    usePlanEditForm(plan)
  const [submitted, setSubmitted] = useState(false)
  const submit = () => {
    setSubmitted(true)
    if (read) edit.mutate({ ...read, code: plan.code, updatedAt: plan.updatedAt })
  }
  return (
    <Dialog
      title={t('editNamed', { name: plan.name })}
      lead={t('editLead')}
      submitLabel={t('save', { name: plan.name })}
      disabledReason={disabledReason}
      submitting={edit.isPending}
      failure={failureOf(edit.error)?.title ?? null}
      onSubmit={submit}
      onClose={onClose}
    >
      <PlanFields
        form={form}
        change={(changes) => setForm({ ...form, ...changes })}
        faulty={submitted ? faulty : null}
        belowDuration={isFar && <TypedDays days={days} typed={typedDays} change={setTypedDays} />}
      />
    </Dialog>
  )
}
