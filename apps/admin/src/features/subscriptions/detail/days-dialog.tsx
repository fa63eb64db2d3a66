'use client'

import type { DaysPreview } from '@meridian/contracts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { DaysPreviewPanel } from './days-preview.tsx'
import styles from './detail.module.css'

type Direction = 'give' | 'take'

const MOST_DAYS = 3660
const SHORTEST_REASON = 4

/** A number of days from 1 on, or null for anything else. */
const readDays = (text: string): number | null => {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0
  return days >= 1 && days <= MOST_DAYS ? days : null
}

function DirectionChoice({ value, choose }: { value: Direction; choose: (value: Direction) => void }) {
  const t = useTranslations('subscriptions.dialog')
  return (
    <fieldset className={styles['choice']} aria-label={t('direction')}>
      {(['give', 'take'] as const).map((direction) => (
        <label key={direction}>
          <input
            type="radio"
            name="direction"
            checked={value === direction}
            onChange={() => choose(direction)}
          />
          {t(direction)}
        </label>
      ))}
    </fieldset>
  )
}

/** Gives or takes; keeps the form apart from what it would do. */
function useDaysForm(userId: string, onClose: () => void) {
  const t = useTranslations('subscriptions.dialog')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [direction, setDirection] = useState<Direction>('give')
  const [daysText, setDaysText] = useState('')
  const [reason, setReason] = useState('')
  const wanted = readDays(daysText)
  const days = wanted === null ? null : direction === 'give' ? wanted : -wanted
  const preview = useQuery({
    ...trpc.subscription.previewDays.queryOptions({ userId, days: days ?? 1 }),
    enabled: days !== null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const change = useMutation(
    trpc.subscription.changeDays.mutationOptions({
      onSuccess: async ({ outcome }) => {
        announce(t(`outcomes.${outcome}`))
        onClose()
        await queryClient.invalidateQueries(trpc.subscription.pathFilter())
      },
      onError: () => void preview.refetch(),
    }),
  )
  const current = days !== null && !preview.isPlaceholderData ? preview.data : undefined
  return {
    ...{ direction, setDirection, daysText, setDaysText, reason, setReason },
    ...{ days, preview, change, current },
  }
}

type Form = ReturnType<typeof useDaysForm>

/** What is still missing before it can be done; null when nothing is. */
function useMissing({ days, reason, current }: Form): string | null {
  const t = useTranslations('subscriptions.dialog')
  if (days === null) return t('daysNeeded')
  if (reason.trim().length < SHORTEST_REASON) return t('reasonNeeded')
  if (!current) return t('previewNeeded')
  if (current.hasOpenRequest) return t('requestOpen')
  return days < 0 && current.remainingBefore === 0 ? t('nothingToTake') : null
}

const labelOf = (direction: Direction, preview: DaysPreview | undefined) =>
  preview?.needsSecondPerson ? (direction === 'give' ? 'askGive' : 'askTake') : direction

export function DaysDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const t = useTranslations('subscriptions.dialog')
  const failureOf = useFailure()
  const form = useDaysForm(userId, onClose)
  const { direction, days, reason, preview, change, current } = form
  const missing = useMissing(form)
  const submit = () =>
    days !== null &&
    current &&
    change.mutate({ userId, days, reason: reason.trim(), entries: current.entries })
  return (
    <Dialog
      title={t('title')}
      lead={t('lead')}
      submitLabel={t(`submit.${labelOf(direction, current)}`, { days: Math.abs(days ?? 0) })}
      disabledReason={missing}
      danger={direction === 'take'}
      submitting={change.isPending}
      failure={failureOf(change.error ?? preview.error)?.title ?? null}
      onSubmit={submit}
      onClose={onClose}
    >
      <DirectionChoice value={direction} choose={form.setDirection} />
      <Field label={t('days')} hint={t('daysHint')}>
        {(attributes) => (
          <Input
            {...attributes}
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            value={form.daysText}
            onChange={(event) => form.setDaysText(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('reason')} hint={t('reasonHint')}>
        {(attributes) => (
          <Input.TextArea
            {...attributes}
            rows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => form.setReason(event.target.value)}
          />
        )}
      </Field>
      {days !== null && preview.data && (
        <DaysPreviewPanel preview={preview.data} busy={preview.isPlaceholderData} />
      )}
    </Dialog>
  )
}
