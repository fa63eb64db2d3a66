'use client'

import { DAYS_ALONE_PER_MONTH, DaysOrder, type DaysPreview } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useFailure, useTRPC } from '../../../api-client/api-provider.tsx'
import { formatTime } from '../../../format.ts'
import { useActForm } from '../../../kit/act/act-form.ts'
import { ActPreview } from '../../../kit/act/act-preview.tsx'
import { FormFields } from '../../../kit/act/form-fields.tsx'
import { typedCount } from '../../../kit/act/typed.ts'
import { useAct } from '../../../kit/act/use-act.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import layout from '../../../ui/layout.module.css'
import { useFeatureName } from '../subscription-words.tsx'
import styles from './detail.module.css'

/** What pressing the button would do, by the rule that does it. */
export function DaysPreviewPanel({ preview, busy }: { preview: DaysPreview; busy: boolean }) {
  const t = useTranslations('subscriptions')
  const nameOf = useFeatureName()
  const { expiresBefore, expiresAfter, remainingBefore, remainingAfter } = preview
  const { usedThisMonth, needsSecondPerson } = preview
  const facts = [
    {
      key: 'remaining',
      term: t('dialog.remaining'),
      value: t('dialog.change', {
        from: t('days', { days: remainingBefore }),
        to: t('days', { days: remainingAfter }),
      }),
    },
    {
      key: 'ends',
      term: t('columns.expiresAt'),
      value: t('dialog.change', {
        from: expiresBefore ? formatTime(expiresBefore) : t('dialog.never'),
        to: formatTime(expiresAfter),
      }),
    },
    ...preview.features.map(({ feature, expiresAfter: until }) => ({
      key: feature,
      term: nameOf(feature),
      value: t('dialog.until', { time: formatTime(until) }),
    })),
    {
      key: 'used',
      term: t('dialog.usedThisMonth'),
      value: t('dialog.ofAlone', { used: usedThisMonth, alone: DAYS_ALONE_PER_MONTH }),
    },
  ]
  return (
    <ActPreview
      title={t('dialog.preview')}
      busy={busy}
      facts={facts}
      secondPerson={needsSecondPerson ? t('dialog.secondPerson', { alone: DAYS_ALONE_PER_MONTH }) : null}
    />
  )
}

type Direction = 'give' | 'take'
const directions: readonly Direction[] = ['give', 'take']

/** Days as they are typed: how many, and which way. */
const TypedDays = z.object({
  direction: z.enum(directions),
  days: typedCount.pipe(DaysOrder.shape.days),
  reason: DaysOrder.shape.reason,
})

/** What is typed, and what it would do. */
function useDaysForm(userId: string) {
  const trpc = useTRPC()
  const start: z.input<typeof TypedDays> = { direction: 'give', days: '', reason: '' }
  const form = useActForm({ schema: TypedDays, start })
  const { direction, ...typed } = form.values
  const count = TypedDays.shape.days.safeParse(typed.days).data ?? null
  const days = count !== null && direction === 'take' ? -count : count
  const preview = useQuery({
    ...trpc.subscription.previewDays.queryOptions({ userId, days: days ?? 1 }),
    enabled: days !== null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const current = days !== null && !preview.isPlaceholderData ? preview.data : undefined
  const hasReason = TypedDays.shape.reason.safeParse(typed.reason).success
  return { ...form, direction, days, hasReason, preview, current }
}

type DaysForm = ReturnType<typeof useDaysForm>

/** What is still missing before it can be done; null when nothing is. */
function useMissing({ days, hasReason, current }: DaysForm): string | null {
  const t = useTranslations('subscriptions.dialog')
  if (days === null) return t('daysNeeded')
  if (!hasReason) return t('reasonNeeded')
  if (!current) return t('previewNeeded')
  if (current.hasOpenRequest) return t('requestOpen')
  return days < 0 && current.remainingBefore === 0 ? t('nothingToTake') : null
}

const labelOf = (direction: Direction, preview: DaysPreview | undefined) =>
  preview?.needsSecondPerson ? (direction === 'give' ? 'askGive' : 'askTake') : direction

function DaysFields({ form: { control, days, preview } }: { form: DaysForm }) {
  const t = useTranslations('subscriptions.dialog')
  const options = directions.map((value) => ({ value, label: t(value) }))
  const choice = {
    kind: 'choice',
    options,
    className: `${layout['choices']} ${styles['choice']}`,
  } as const
  const count = { kind: 'line', inputMode: 'numeric', maxLength: 4 } as const
  return (
    <>
      <FormFields
        control={control}
        fields={[
          { ...choice, name: 'direction', label: t('direction') },
          { ...count, name: 'days', label: t('days'), hint: t('daysHint') },
          { kind: 'text', name: 'reason', label: t('reason'), hint: t('reasonHint'), rows: 2 },
        ]}
      />
      {days !== null && preview.data && (
        <DaysPreviewPanel preview={preview.data} busy={preview.isPlaceholderData} />
      )}
    </>
  )
}

/** Gives or takes days, showing first what that would do. */
export function DaysDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const t = useTranslations('subscriptions.dialog')
  const failureOf = useFailure()
  const form = useDaysForm(userId)
  const { direction, days, preview, current } = form
  const change = useAct({
    call: (api) => api.subscription.changeDays.mutate,
    invalidates: ['subscription'],
    done: ({ outcome }) => t(`outcomes.${outcome}`),
    onFailure: () => void preview.refetch(),
  })
  const submit = form.submit(({ reason }) => {
    if (days !== null && current) change.run({ userId, days, reason, entries: current.entries }, onClose)
  })
  return (
    <Dialog
      title={t('title')}
      lead={t('lead')}
      submitLabel={t(`submit.${labelOf(direction, current)}`, { days: Math.abs(days ?? 0) })}
      disabledReason={useMissing(form)}
      danger={direction === 'take'}
      submitting={change.busy}
      failure={(change.failure ?? failureOf(preview.error))?.title ?? null}
      onSubmit={submit}
      onClose={onClose}
    >
      <DaysFields form={form} />
    </Dialog>
  )
}
