'use client'

import { ContradictionDecision, formatFen, type RefundDetail, type RefundEnd } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { FormDialog } from '../../../kit/act/form-dialog.tsx'
import { useAct } from '../../../kit/act/use-act.ts'
import { ends } from './contradiction-ends.ts'

type AcceptProps = { refund: RefundDetail; accept: RefundEnd }

/** Which end of the refund holds, and why. */
export function ContradictionDialog({ refund, accept, onClose }: AcceptProps & { onClose: () => void }) {
  const t = useTranslations('refunds')
  const { word } = ends[accept]
  const decide = useAct({
    call: (api) => api.refund.decideContradiction.mutate,
    invalidates: ['refund', 'alert'],
    done: () => t('contradiction.decided'),
  })
  return (
    <FormDialog
      title={t(`contradiction.${word}Title`, { amount: formatFen(refund.amountFen) })}
      lead={t(
        `contradiction.${accept === refund.status ? (`${word}OursLead` as const) : (`${word}Lead` as const)}`,
      )}
      submitLabel={t(`contradiction.${word}`)}
      danger
      schema={ContradictionDecision}
      start={{ outRefundNo: refund.outRefundNo, accept, note: '' }}
      incomplete={t('contradiction.whyMissing')}
      fields={[
        {
          kind: 'text',
          name: 'note',
          label: t('contradiction.why'),
          hint: t('contradiction.whyHint'),
          rows: 2,
        },
      ]}
      act={decide}
      onClose={onClose}
    />
  )
}
