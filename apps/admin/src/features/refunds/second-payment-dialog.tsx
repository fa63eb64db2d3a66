'use client'

import { formatFen, type SecondPayment } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useFailure } from '../../api-client/use-failure.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AmountField, ConfirmationField, NoteField } from './refund-fields.tsx'
import styles from './refunds.module.css'
import { CONFIRMED_CHARACTERS } from './use-refund-form.ts'
import { type SecondPaymentForm, useSecondPayment } from './use-second-payment.ts'

/** What is still missing before it can be done; null when nothing is. */
function useMissing({ payments, payment, amountFen, confirmation }: SecondPaymentForm): string | null {
  const t = useTranslations('refunds')
  if (!payment) return t(payments.isPending ? 'missing.preview' : 'secondPayment.none')
  if (payment.refundableFen === 0) return t('secondPayment.returned')
  if (amountFen === null || amountFen < 1) return t('missing.amount')
  if (amountFen > payment.refundableFen) return t('obstacles.too_much')
  const ending = payment.transactionId.slice(-CONFIRMED_CHARACTERS)
  return confirmation.trim() === ending ? null : t('secondPayment.confirm')
}

/** The payment as it came: who paid it, when, and what is left of it. */
function Payment({ payment }: { payment: SecondPayment }) {
  const t = useTranslations('refunds')
  const { transactionId, amountFen, refundableFen, payer, paidAt, recordedAt } = payment
  return (
    <DescriptionList
      items={[
        {
          key: 'transaction',
          term: t('secondPayment.transaction'),
          value: <Identifier value={transactionId} name={t('secondPayment.transaction')} whole />,
        },
        { key: 'amount', term: t('amount'), value: formatFen(amountFen) },
        { key: 'left', term: t('preview.refundable'), value: formatFen(refundableFen) },
        { key: 'payer', term: t('secondPayment.payer'), value: t(`secondPayment.payers.${payer}`) },
        {
          key: 'at',
          term: t('secondPayment.paidAt'),
          value: <DateTime time={paidAt ?? recordedAt} exact />,
        },
      ]}
    />
  )
}

function Choice({ form: { items, payment, setChosen, setAmount } }: { form: SecondPaymentForm }) {
  const t = useTranslations('refunds')
  if (items.length < 2) return null
  return (
    <Field label={t('secondPayment.which')}>
      {(attributes) => (
        <select
          {...attributes}
          className={styles['select']}
          value={payment?.transactionId ?? ''}
          onChange={(event) => {
            setChosen(event.target.value)
            setAmount(null)
          }}
        >
          {items.map(({ transactionId, amountFen }) => (
            <option key={transactionId} value={transactionId}>
              {transactionId} · {formatFen(amountFen)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function Inputs({ form, payment }: { form: SecondPaymentForm; payment: SecondPayment }) {
  const t = useTranslations('refunds')
  return (
    <>
      <AmountField value={form.amount} change={form.setAmount} mostFen={payment.refundableFen} />
      <NoteField value={form.note} change={form.setNote} />
      <ConfirmationField
        value={form.confirmation}
        change={form.setConfirmation}
        label={t('secondPayment.confirm')}
        ending={payment.transactionId.slice(-CONFIRMED_CHARACTERS)}
      />
    </>
  )
}

type SecondPaymentDialogProps = { outTradeNo: string; onClose: () => void }

/** Asks for a second payment to go back: which, how much, confirmed by the end of its number; the order stays as it is. */
export function SecondPaymentDialog({ outTradeNo, onClose }: SecondPaymentDialogProps) {
  const t = useTranslations('refunds')
  const failureOf = useFailure()
  const form = useSecondPayment(outTradeNo)
  const { payments, payment, request } = form
  const wanted = form.amountFen ?? 0
  const alone = payment && wanted <= payment.aloneFen
  return (
    <Dialog
      title={t('secondPayment.title')}
      lead={t('secondPayment.lead')}
      submitLabel={t(alone ? 'submit' : 'submitRequest', { amount: formatFen(wanted) })}
      disabledReason={useMissing(form)}
      danger
      submitting={request.isPending || request.isSuccess}
      failure={failureOf(request.error ?? payments.error)?.title ?? null}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {payments.isPending && <Skeleton width={240} />}
      <Choice form={form} />
      {payment && <Payment payment={payment} />}
      {payment && payment.refundableFen > 0 && <Inputs form={form} payment={payment} />}
    </Dialog>
  )
}
