'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlanFields, PlanTextField } from './plan-fields.tsx'
import { emptyPlan, readNewPlan } from './plan-form.ts'
import styles from './plans.module.css'

export function CreatePlan({ onClose }: { onClose: () => void }) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [form, setForm] = useState(emptyPlan)
  const [submitted, setSubmitted] = useState(false)
  const create = useMutation(
    trpc.plan.create.mutationOptions({
      onSuccess: async ({ plan: made }) => {
        announce(made ? t('created', { name: made.name }) : said('nowWaiting'))
        onClose()
        await queryClient.invalidateQueries(trpc.plan.pathFilter())
      },
    }),
  )
  const { plan, faulty } = readNewPlan(form)
  const fields = {
    form,
    change: (changes: Partial<typeof form>) => setForm({ ...form, ...changes }),
    faulty: submitted ? faulty : null,
  }
  const submit = () => {
    setSubmitted(true)
    if (plan) create.mutate(plan)
  }
  return (
    <Dialog
      title={t('create')}
      lead={`${t('createLead')} ${t('farHint')}`}
      submitLabel={t('createNamed', { name: form.name.trim() })}
      submitting={create.isPending}
      failure={failureOf(create.error)?.title ?? null}
      onSubmit={submit}
      onClose={onClose}
    >
      <PlanTextField {...fields} name="code" field="code" />
      <PlanFields {...fields} />
      <div className={styles['pair']}>
        <PlanTextField {...fields} name="price" field="priceFen" />
        <PlanTextField {...fields} name="listPrice" field="listPriceFen" />
      </div>
    </Dialog>
  )
}
