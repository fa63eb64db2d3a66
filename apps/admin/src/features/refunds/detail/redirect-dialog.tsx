'use client'

import { formatFen, type RefundDetail } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import styles from '../refunds.module.css'

const destinations = ['merchant_bank_card', 'user_bank_card'] as const
type Destination = (typeof destinations)[number]

const cardFields = ['bankType', 'bankAccount', 'realName'] as const
type Card = Record<(typeof cardFields)[number], string>

function useRedirect({ outRefundNo, onClose }: { outRefundNo: string; onClose: () => void }) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [to, setTo] = useState<Destination>('merchant_bank_card')
  const [card, setCard] = useState<Card>({ bankType: '', bankAccount: '', realName: '' })
  const redirect = useMutation(
    trpc.refund.redirect.mutationOptions({
      onSuccess: async ({ state }) => {
        announce(t('nowIs', { status: t(`statuses.${state}`) }))
        onClose()
        await queryClient.invalidateQueries(trpc.refund.pathFilter())
      },
    }),
  )
  const complete = to === 'merchant_bank_card' || cardFields.every((field) => card[field].trim() !== '')
  const submit = () =>
    redirect.mutate(to === 'merchant_bank_card' ? { outRefundNo, to } : { outRefundNo, to, ...card })
  return { to, setTo, card, setCard, redirect, complete, submit }
}

/** Sends an abnormal refund elsewhere; what is typed here goes to the platform and is kept nowhere. */
export function RedirectDialog({ refund, onClose }: { refund: RefundDetail; onClose: () => void }) {
  const t = useTranslations('refunds')
  const failureOf = useFailure()
  const form = useRedirect({ outRefundNo: refund.outRefundNo, onClose })
  return (
    <Dialog
      title={t('redirectTitle', { amount: formatFen(refund.amountFen) })}
      lead={t('redirectLead')}
      submitLabel={t('redirect')}
      disabledReason={form.complete ? null : t('missing.card')}
      danger
      submitting={form.redirect.isPending}
      failure={failureOf(form.redirect.error)?.title ?? null}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <fieldset className={styles['rows']} aria-label={t('destination')}>
        {destinations.map((destination) => (
          <label key={destination} className={styles['check']}>
            <input
              type="radio"
              name="destination"
              checked={form.to === destination}
              onChange={() => form.setTo(destination)}
            />
            {t(`destinations.${destination}`)}
          </label>
        ))}
      </fieldset>
      {form.to === 'user_bank_card' &&
        cardFields.map((field) => (
          <Field key={field} label={t(`card.${field}`)} hint={t(`cardHints.${field}`)}>
            {(attributes) => (
              <Input
                {...attributes}
                autoComplete="off"
                maxLength={64}
                value={form.card[field]}
                onChange={(event) => form.setCard({ ...form.card, [field]: event.target.value })}
              />
            )}
          </Field>
        ))}
    </Dialog>
  )
}
