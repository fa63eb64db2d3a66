'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { dayAfter, isDay } from '../../format.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { useToday } from '../../ui/clock.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'

const OLDEST_BILL_DAYS = 90

/** Has a day reconciled: its bills are fetched and compared by the next worker. */
function RunDialog({ date, onClose }: { date: string; onClose: () => void }) {
  const t = useTranslations('reconciliation')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [day, setDay] = useState(date)
  const yesterday = dayAfter(useToday(), -1)
  const run = useMutation(
    trpc.reconciliation.requestRun.mutationOptions({
      onSuccess: async () => {
        announce(t('runAsked', { date: day }))
        onClose()
        await queryClient.invalidateQueries(trpc.reconciliation.pathFilter())
      },
    }),
  )
  return (
    <Dialog
      title={t('runTitle')}
      lead={t('runLead')}
      submitLabel={t('runDay', { date: day })}
      disabledReason={isDay(day) ? null : t('dayNeeded')}
      submitting={run.isPending}
      failure={failureOf(run.error)?.title ?? null}
      onSubmit={() => run.mutate({ date: day })}
      onClose={onClose}
    >
      <Field label={t('date')} hint={t('runHint', { days: OLDEST_BILL_DAYS })}>
        {(attributes) => (
          <Input
            {...attributes}
            type="date"
            max={yesterday}
            min={dayAfter(yesterday, 1 - OLDEST_BILL_DAYS)}
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}

export function RunDay({ date }: { date?: string }) {
  const t = useTranslations('reconciliation')
  const forbidden = useForbidden('reconciliation.resolve')
  const [open, setOpen] = useState(false)
  const yesterday = dayAfter(useToday(), -1)
  return (
    <>
      <ActionButton
        icon={<Icon name="sync" />}
        quiet={date !== undefined}
        busy={false}
        hint={t('runActionHint')}
        disabledReason={forbidden && t('forbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('run')}
      </ActionButton>
      {open && <RunDialog date={date ?? yesterday} onClose={() => setOpen(false)} />}
    </>
  )
}
