'use client'

import { formatFen, type SecondPayment, SecondPaymentReturn } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { useActForm } from '../../kit/act/act-form.ts'
import { FormFields } from '../../kit/act/form-fields.tsx'
import { yuanOf } from '../../kit/act/typed.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import layout from '../../ui/layout.module.css'
import { Skeleton } from '../../ui/skeleton.tsx'
import { endingOf, TypedAmount, useRefundFields, useRequested } from './refund-fields.ts'
import styles from './refunds.module.css'

/** What is typed. An empty transaction is the one that is proposed; no amount is the whole rest of it. */
const TypedReturn = z.object({
  transactionId: z.string(),
  amountFen: z.string().nullable(),
  note: SecondPaymentReturn.shape.note,
  confirmation: z.string().trim(),
})

/** Which payment, and how much of it; the whole rest is proposed. */
function useReturnForm(outTradeNo: string) {
  const trpc = useTRPC()
  const start: z.input<typeof TypedReturn> = {
    transactionId: '',
    amountFen: null,
    note: '',
    confirmation: '',
  }
  const form = useActForm({ schema: TypedReturn, start })
  const payments = useQuery({ ...trpc.refund.secondPayments.queryOptions({ outTradeNo }), staleTime: 0 })
  const items: readonly SecondPayment[] = payments.data?.items ?? []
  const payment =
    items.find(({ transactionId }) => transactionId === form.values.transactionId) ??
    items.find(({ refundableFen }) => refundableFen > 0) ??
    items[0]
  const amount = form.values.amountFen ?? (payment ? yuanOf(payment.refundableFen) : '')
  return { ...form, payments, items, payment, amountFen: TypedAmount.safeParse(amount).data ?? null }
}

type ReturnForm = ReturnType<typeof useReturnForm>

/** What is still missing before it can be done; null when nothing is. */
function useMissing({ payments, payment, amountFen, values }: ReturnForm): string | null {
  const t = useTranslations('refunds')
  if (!payment) return t(payments.isPending ? 'missing.preview' : 'secondPayment.none')
  if (payment.byApple) return t('obstacles.by_apple')
  if (payment.refundableFen === 0) return t('secondPayment.returned')
  if (amountFen === null) return t('missing.amount')
  if (amountFen > payment.refundableFen) return t('obstacles.too_much')
  const isConfirmed = values.confirmation.trim() === endingOf(payment.transactionId)
  return isConfirmed ? null : t('secondPayment.confirm')
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
          term: t('secondPayment.number'),
          value: <Identifier value={transactionId} name={t('secondPayment.number')} whole />,
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

/** Which payment, where there are several; the rest of another one is proposed anew. */
function Choice({ form: { items, payment, set } }: { form: ReturnForm }) {
  const t = useTranslations('refunds')
  return (
    <Field label={t('secondPayment.which')}>
      {(attributes) => (
        <select
          {...attributes}
          className={`${layout['select']} ${styles['select']}`}
          value={payment?.transactionId ?? ''}
          onChange={(event) => {
            set('transactionId', event.target.value)
            set('amountFen', null)
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

function Inputs({ form, payment }: { form: ReturnForm; payment: SecondPayment }) {
  const t = useTranslations('refunds')
  const { amount, note, confirmation } = useRefundFields()
  const typed = confirmation(t('secondPayment.confirm'), endingOf(payment.transactionId))
  const rest = { proposed: yuanOf(payment.refundableFen) }
  return (
    <FormFields
      control={form.control}
      fields={[{ ...amount(payment.refundableFen), ...rest }, note, typed]}
    />
  )
}

type SecondPaymentDialogProps = { outTradeNo: string; onClose: () => void }

/** Asks for a second payment to go back: which, how much, confirmed by the end of its number; the order stays as it is. */
export function SecondPaymentDialog({ outTradeNo, onClose }: SecondPaymentDialogProps) {
  const t = useTranslations('refunds')
  const failureOf = useFailure()
  const form = useReturnForm(outTradeNo)
  const { payments, items, payment, amountFen } = form
  const request = useAct({
    call: (api) => api.refund.returnSecondPayment.mutate,
    ...useRequested(),
    onFailure: () => void payments.refetch(),
  })
  const submit = form.submit(({ note }) => {
    if (!payment || amountFen === null || request.isDone) return
    const { transactionId, reservedFen } = payment
    request.run({ outTradeNo, transactionId, amountFen, reservedFen, reason: 'duplicate', note })
  })
  const wanted = amountFen ?? 0
  const isAlone = payment && wanted <= payment.aloneFen
  return (
    <Dialog
      title={t('secondPayment.title')}
      lead={t('secondPayment.lead')}
      submitLabel={t(isAlone ? 'submit' : 'submitRequest', { amount: formatFen(wanted) })}
      disabledReason={useMissing(form)}
      danger
      submitting={request.busy || request.isDone}
      failure={(request.failure ?? failureOf(payments.error))?.title ?? null}
      onSubmit={submit}
      onClose={onClose}
    >
      {payments.isPending && <Skeleton width={240} />}
      {items.length > 1 && <Choice form={form} />}
      {payment && <Payment payment={payment} />}
      {payment && payment.refundableFen > 0 && <Inputs form={form} payment={payment} />}
    </Dialog>
  )
}
