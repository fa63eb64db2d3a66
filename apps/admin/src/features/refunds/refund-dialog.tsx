'use client'

import { formatFen, RefundReason } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useFailure } from '../../api-client/use-failure.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { AmountField, ConfirmationField, NoteField } from './refund-fields.tsx'
import { RefundPreviewPanel } from './refund-preview.tsx'
import styles from './refunds.module.css'
import { CONFIRMED_CHARACTERS, type RefundForm, useRefundForm } from './use-refund-form.ts'

/** What is still missing before it can be done; null when nothing is. */
function useMissing({ wanted, current, confirmation }: RefundForm, ending: string): string | null {
  const t = useTranslations('refunds')
  if (wanted === null) return t('missing.amount')
  if (!current) return t('missing.preview')
  if (current.obstacle) return t(`obstacles.${current.obstacle}`)
  return confirmation.trim().toUpperCase() === ending ? null : t('missing.confirmation')
}

function ReasonFields({ form }: { form: RefundForm }) {
  const t = useTranslations('refunds')
  const choose = (value: string) => {
    const reason = RefundReason.safeParse(value)
    if (reason.success) form.setReason(reason.data)
  }
  return (
    <>
      <Field label={t('reason')}>
        {(attributes) => (
          <select
            {...attributes}
            className={styles['select']}
            value={form.reason}
            onChange={(event) => choose(event.target.value)}
          >
            {RefundReason.options.map((reason) => (
              <option key={reason} value={reason}>
                {t(`reasons.${reason}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <NoteField value={form.note} change={form.setNote} />
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={form.keepDays}
          onChange={(event) => form.setKeepDays(event.target.checked)}
        />
        {t('keepDays')}
      </label>
    </>
  )
}

type RefundDialogProps = { outTradeNo: string; refundableFen: number; onClose: () => void }

/** Asks for money to go back: how much, why, what it does to the days; confirmed by the end of the order number. */
export function RefundDialog({ outTradeNo, refundableFen, onClose }: RefundDialogProps) {
  const t = useTranslations('refunds')
  const failureOf = useFailure()
  const form = useRefundForm({ outTradeNo, refundableFen })
  const { wanted, preview, current, request } = form
  const ending = outTradeNo.slice(-CONFIRMED_CHARACTERS)
  return (
    <Dialog
      title={t('dialogTitle', { outTradeNo })}
      lead={t('dialogLead')}
      submitLabel={t(current?.needsSecondPerson ? 'submitRequest' : 'submit', {
        amount: formatFen(wanted ?? 0),
      })}
      disabledReason={useMissing(form, ending)}
      danger
      submitting={request.isPending || request.isSuccess}
      failure={failureOf(request.error ?? preview.error)?.title ?? null}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <AmountField value={form.amount} change={form.setAmount} mostFen={refundableFen} />
      <ReasonFields form={form} />
      {wanted !== null && preview.data && (
        <RefundPreviewPanel preview={preview.data} busy={preview.isPlaceholderData} />
      )}
      <ConfirmationField
        value={form.confirmation}
        change={form.setConfirmation}
        label={t('confirm')}
        ending={ending}
      />
    </Dialog>
  )
}
