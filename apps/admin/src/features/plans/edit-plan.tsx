'use client'

import type { PlanDetail } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlanFields } from './plan-fields.tsx'
import { formOfPlan, readPlanText } from './plan-form.ts'

export function EditPlan({ plan, onClose }: { plan: PlanDetail; onClose: () => void }) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [form, setForm] = useState(() => formOfPlan(plan))
  const [submitted, setSubmitted] = useState(false)
  const edit = useMutation(
    trpc.plan.edit.mutationOptions({
      onSuccess: async (sheet) => {
        announce(sheet.waiting ? said('nowWaiting') : t('edited', { name: sheet.plan.name }))
        onClose()
        await queryClient.invalidateQueries(trpc.plan.pathFilter())
      },
      onError: () => queryClient.invalidateQueries(trpc.plan.pathFilter()),
    }),
  )
  const { plan: read, faulty } = readPlanText(form)
  const submit = () => {
    setSubmitted(true)
    if (read) edit.mutate({ ...read, code: plan.code, updatedAt: plan.updatedAt })
  }
  return (
    <Dialog
      title={t('editNamed', { name: plan.name })}
      lead={t('editLead')}
      submitLabel={t('save', { name: plan.name })}
      submitting={edit.isPending}
      failure={failureOf(edit.error)?.title ?? null}
      onSubmit={submit}
      onClose={onClose}
    >
      <PlanFields
        form={form}
        change={(changes) => setForm({ ...form, ...changes })}
        faulty={submitted ? faulty : null}
      />
    </Dialog>
  )
}
