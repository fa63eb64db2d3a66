'use client'

import { AskedRefundReason, formatFen, RefundOrder, type RefundPreview } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { formatTime } from '../../format.ts'
import { useActForm } from '../../kit/act/act-form.ts'
import { ActPreview } from '../../kit/act/act-preview.tsx'
import { FormFields } from '../../kit/act/form-fields.tsx'
import { yuanOf } from '../../kit/act/typed.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { Dialog } from '../../ui/dialog.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { AppleRefundDialog } from './apple-refund-dialog.tsx'
import { endingOf, TypedAmount, useRefundFields, useRequested } from './refund-fields.ts'
import styles from './refunds.module.css'
import { UsualAmounts } from './usual-amounts.tsx'

/** What pressing the button would do, by the rules that do it. */
export function RefundPreviewPanel({ preview, busy }: { preview: RefundPreview; busy: boolean }) {
  const t = useTranslations('refunds')
  const { expiresBefore, expiresAfter, remainingBefore, remainingAfter, needsSecondPerson, thresholdFen } =
    preview
  const end = (time: Date | null) => (time ? formatTime(time) : t('preview.none'))
  const facts = [
    { key: 'refundable', term: t('preview.refundable'), value: formatFen(preview.refundableFen) },
    {
      key: 'used',
      term: t('preview.used'),
      value: t('preview.usedTakenLeft', {
        used: preview.daysUsed,
        taken: preview.daysTakenBack,
        left: preview.daysLeft,
      }),
    },
    { key: 'taken', term: t('preview.taken'), value: t('days', { days: preview.daysTaken }) },
    {
      key: 'remaining',
      term: t('preview.remaining'),
      value: t('preview.change', {
        from: t('days', { days: remainingBefore }),
        to: t('days', { days: remainingAfter }),
      }),
    },
    {
      key: 'ends',
      term: t('preview.ends'),
      value: t('preview.change', { from: end(expiresBefore), to: end(expiresAfter) }),
    },
  ]
  return (
    <ActPreview
      title={t('preview.title')}
      busy={busy}
      facts={facts}
      secondPerson={
        needsSecondPerson ? t('preview.secondPerson', { threshold: formatFen(thresholdFen) }) : null
      }
    >
      {preview.obstacle && <Notice tone="bad">{t(`obstacles.${preview.obstacle}`)}</Notice>}
    </ActPreview>
  )
}

type RefundDialogProps = { outTradeNo: string; refundableFen: number; onClose: () => void }

/** What is typed: the order of a refund but for what the preview knows, and the end of the number. */
const TypedRefund = RefundOrder.omit({ reservedFen: true }).extend({
  amountFen: TypedAmount,
  keepDays: z.boolean(),
  confirmation: z.string().trim().toUpperCase(),
})

/** What is asked for, and what it would do. */
function useRefundForm({ outTradeNo, refundableFen }: Omit<RefundDialogProps, 'onClose'>) {
  const trpc = useTRPC()
  const start: z.input<typeof TypedRefund> = {
    outTradeNo,
    amountFen: yuanOf(refundableFen),
    reason: 'user_request',
    note: '',
    keepDays: false,
    confirmation: '',
  }
  const form = useActForm({ schema: TypedRefund, start })
  const { amountFen, keepDays } = form.values
  const wanted = TypedAmount.safeParse(amountFen).data ?? null
  const preview = useQuery({
    ...trpc.refund.preview.queryOptions({ outTradeNo, amountFen: wanted ?? 1, keepDays }),
    enabled: wanted !== null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const current = wanted !== null && !preview.isPlaceholderData ? preview.data : undefined
  return { ...form, wanted, preview, current, ending: endingOf(outTradeNo), mostFen: refundableFen }
}

type RefundForm = ReturnType<typeof useRefundForm>

/** What is still missing before it can be done; null when nothing is. */
function useMissing({ wanted, current, values, ending }: RefundForm): string | null {
  const t = useTranslations('refunds')
  if (wanted === null) return t('missing.amount')
  if (!current) return t('missing.preview')
  if (current.obstacle) return t(`obstacles.${current.obstacle}`)
  const confirmation = TypedRefund.shape.confirmation.parse(values.confirmation)
  return confirmation === ending ? null : t('missing.confirmation')
}

function RefundFields({ form }: { form: RefundForm }) {
  const { control, wanted, preview, ending, mostFen } = form
  const t = useTranslations('refunds')
  const { amount, note, confirmation } = useRefundFields()
  const reasons = AskedRefundReason.options.map((value) => ({ value, label: t(`reasons.${value}`) }))
  const effect = wanted !== null && preview.data && (
    <RefundPreviewPanel preview={preview.data} busy={preview.isPlaceholderData} />
  )
  const usual = (
    <UsualAmounts
      preview={preview.data}
      wholeFen={mostFen}
      chosenFen={wanted}
      choose={(fen) => form.set('amountFen', yuanOf(fen))}
    />
  )
  const select = {
    kind: 'select',
    options: reasons,
    className: `${layout['select']} ${styles['select']}`,
  } as const
  return (
    <FormFields
      control={control}
      fields={[
        amount(mostFen),
        { kind: 'shown', name: 'usual', shown: usual },
        { ...select, name: 'reason', label: t('reason') },
        note,
        { kind: 'tick', name: 'keepDays', label: t('keepDays'), className: styles['check'] ?? '' },
        { kind: 'shown', name: 'preview', shown: effect },
        confirmation(t('confirm'), ending),
      ]}
    />
  )
}

/** Asks for money to go back: how much, why, what it does to the days; confirmed by the end of the order number. */
export function RefundDialog({ onClose, ...order }: RefundDialogProps) {
  const t = useTranslations('refunds')
  const failureOf = useFailure()
  const form = useRefundForm(order)
  const { wanted, preview, current } = form
  const request = useAct({
    call: (api) => api.refund.request.mutate,
    ...useRequested(),
    onFailure: () => void preview.refetch(),
  })
  const submit = form.submit(({ confirmation: _, ...refund }) => {
    if (current && !request.isDone) request.run({ ...refund, reservedFen: current.reservedFen })
  })
  const missing = useMissing(form)
  if (current?.obstacle === 'by_apple') return <AppleRefundDialog {...order} onClose={onClose} />
  const verb = current?.needsSecondPerson ? 'submitRequest' : 'submit'
  return (
    <Dialog
      title={t('dialogTitle', { outTradeNo: order.outTradeNo })}
      lead={t('dialogLead')}
      submitLabel={t(verb, { amount: formatFen(wanted ?? 0) })}
      disabledReason={missing}
      danger
      submitting={request.busy || request.isDone}
      failure={(request.failure ?? failureOf(preview.error))?.title ?? null}
      onSubmit={submit}
      onClose={onClose}
    >
      <RefundFields form={form} />
    </Dialog>
  )
}
