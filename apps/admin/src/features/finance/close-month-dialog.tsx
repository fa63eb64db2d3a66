'use client'

import { addFinance, type FinanceMonth, formatFen, MonthReference, netFenOf } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { typedWord } from '../../kit/act/typed.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { DescriptionList } from '../../ui/description-list.tsx'

/** Closes a month, confirmed by typing which one it is; the API may still say why it stays open. */
export function CloseMonthDialog({ shown, onClose }: { shown: FinanceMonth; onClose: () => void }) {
  const t = useTranslations('finance')
  const { month, channels } = shown
  const close = useAct({
    call: (api) => api.finance.closeMonth.mutate,
    invalidates: ['finance', 'audit'],
    done: ({ verdict }) => (verdict === 'closed' ? t('monthClosed', { month }) : null),
    after: ({ verdict }) => verdict === 'closed' && onClose(),
  })
  const { verdict = 'closed' } = close.output ?? {}
  const refusals = {
    closed: null,
    already_closed: 'verdicts.already_closed',
    open_days: 'verdicts.open_days',
  } as const
  const refusal = refusals[verdict]
  const sums = addFinance(channels)
  const items = [
    { key: 'gross', term: t('figures.gross'), value: formatFen(sums.grossFen) },
    { key: 'refunded', term: t('figures.refunded'), value: formatFen(-sums.refundFen) },
    { key: 'net', term: t('figures.net'), value: formatFen(netFenOf(sums)) },
    { key: 'fees', term: t('figures.fees'), value: formatFen(-sums.feeFen) },
  ]
  return (
    <FormDialog
      title={t('closeTitle', { month })}
      lead={t('closeLead')}
      submitLabel={t('closeTitle', { month })}
      schema={MonthReference.extend({ typed: typedWord(month) })}
      start={{ month, typed: '' }}
      incomplete={t('typeMonth', { month })}
      fields={[
        { kind: 'shown', name: 'sums', shown: <DescriptionList items={items} /> },
        { kind: 'line', name: 'typed', label: t('typedMonth'), hint: t('typeMonth', { month }) },
      ]}
      act={{ ...close, run: () => close.run({ month }) }}
      failure={close.failure?.title ?? (refusal && t(refusal))}
      onClose={onClose}
    />
  )
}
