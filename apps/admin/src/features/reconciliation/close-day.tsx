'use client'

import { type DayDetail, formatFen } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'

function CloseDialog({ day, onClose }: { day: DayDetail; onClose: () => void }) {
  const t = useTranslations('reconciliation')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [typed, setTyped] = useState('')
  const close = useMutation(
    trpc.reconciliation.closeDay.mutationOptions({
      onSuccess: async ({ verdict }) => {
        if (verdict === 'closed') {
          announce(t('dayClosed', { date: day.date }))
          onClose()
        }
        await queryClient.invalidateQueries(trpc.reconciliation.pathFilter())
      },
    }),
  )
  const refused = close.data && close.data.verdict !== 'closed' ? t(`verdicts.${close.data.verdict}`) : null
  const sums = (['orderFen', 'ledgerFen', 'billFen'] as const).map((key) => ({
    key,
    term: t(`sums.${key}`),
    value: formatFen(day[key]),
  }))
  return (
    <Dialog
      title={t('closeTitle', { date: day.date })}
      lead={t('closeLead')}
      submitLabel={t('closeDay', { date: day.date })}
      disabledReason={typed.trim() === day.date ? null : t('typeDate', { date: day.date })}
      submitting={close.isPending}
      failure={failureOf(close.error)?.title ?? refused}
      onSubmit={() => close.mutate({ date: day.date })}
      onClose={onClose}
    >
      <DescriptionList items={sums} />
      <Field label={t('typedDate')} hint={t('typeDate', { date: day.date })}>
        {(attributes) => (
          <Input
            {...attributes}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}

/** Why the day cannot be closed now, as far as the page knows; the API decides. */
function useObstacle(day: DayDetail): string | null {
  const t = useTranslations('reconciliation')
  const forbidden = useForbidden('reconciliation.close_day')
  if (forbidden) return t('closeForbidden', forbidden)
  if (day.state === 'closed') return t('verdicts.already_closed')
  if (day.state === 'open') return t('verdicts.not_matched')
  if (day.openDifferences > 0) return t('verdicts.open_differences')
  return day.explained ? null : t('verdicts.unexplained')
}

export function CloseDay({ day }: { day: DayDetail }) {
  const t = useTranslations('reconciliation')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="checkCircle" />}
        busy={false}
        hint={t('closeHint')}
        disabledReason={useObstacle(day)}
        onPress={() => setOpen(true)}
      >
        {t('close')}
      </ActionButton>
      {open && <CloseDialog day={day} onClose={() => setOpen(false)} />}
    </>
  )
}
