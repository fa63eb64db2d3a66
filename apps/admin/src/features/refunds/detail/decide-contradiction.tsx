'use client'

import { formatFen, type RefundDetail, type RefundEnd } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Input } from '../../../ui/input.tsx'
import { useObstacle } from '../../approvals/use-obstacle.ts'

type RefundProps = { refund: RefundDetail }

const ends = {
  succeeded: { word: 'accept', icon: 'check' },
  closed: { word: 'keep', icon: 'close' },
} as const

function DecideDialog({ refund, accept, onClose }: RefundProps & { accept: RefundEnd; onClose: () => void }) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [note, setNote] = useState('')
  const { word } = ends[accept]
  const lead = accept === refund.status ? (`${word}OursLead` as const) : (`${word}Lead` as const)
  const decide = useMutation(
    trpc.refund.decideContradiction.mutationOptions({
      onSuccess: async () => {
        announce(t('contradiction.decided'))
        onClose()
        const read = [trpc.refund.pathFilter(), trpc.alert.pathFilter()]
        await Promise.all(read.map((filter) => queryClient.invalidateQueries(filter)))
      },
    }),
  )
  return (
    <Dialog
      title={t(`contradiction.${word}Title`, { amount: formatFen(refund.amountFen) })}
      lead={t(`contradiction.${lead}`)}
      submitLabel={t(`contradiction.${word}`)}
      disabledReason={note.trim().length < 2 ? t('contradiction.whyMissing') : null}
      danger
      submitting={decide.isPending}
      failure={failureOf(decide.error)?.title ?? null}
      onSubmit={() => decide.mutate({ outRefundNo: refund.outRefundNo, accept, note })}
      onClose={onClose}
    >
      <Field label={t('contradiction.why')} hint={t('contradiction.whyHint')}>
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

/** Two ends of one refund: finance says which one holds. */
export function DecideContradiction({ refund }: RefundProps) {
  const t = useTranslations('refunds')
  const forbidden = useForbidden('refund.approve')
  const obstacleOf = useObstacle()
  const [accept, setAccept] = useState<RefundEnd | null>(null)
  return (
    <>
      {(['succeeded', 'closed'] as const).map((end) => (
        <ActionButton
          key={end}
          icon={<Icon name={ends[end].icon} />}
          quiet={end === 'closed'}
          busy={false}
          hint={t(`contradiction.${ends[end].word}Hint`)}
          disabledReason={(forbidden && t('approveForbidden', forbidden)) ?? obstacleOf(refund.obstacle)}
          onPress={() => setAccept(end)}
        >
          {t(`contradiction.${ends[end].word}`)}
        </ActionButton>
      ))}
      {accept && <DecideDialog refund={refund} accept={accept} onClose={() => setAccept(null)} />}
    </>
  )
}
