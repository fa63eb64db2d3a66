'use client'

import { ContradictionDecision, formatFen, type RefundDetail, type RefundEnd } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../../kit/act/act-button.tsx'
import { FormDialog } from '../../../kit/act/form-dialog.tsx'
import { useAct } from '../../../kit/act/use-act.ts'
import { useObstacle } from '../../approvals/use-obstacle.ts'

const ends = {
  succeeded: { word: 'accept', icon: 'check' },
  closed: { word: 'keep', icon: 'close' },
} as const

type AcceptProps = { refund: RefundDetail; accept: RefundEnd }

function DecideDialog({ refund, accept, onClose }: AcceptProps & { onClose: () => void }) {
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

/** Two ends of one refund: finance says which one holds. */
export function DecideContradiction({ refund }: { refund: RefundDetail }) {
  const t = useTranslations('refunds')
  const obstacleOf = useObstacle()
  return (['succeeded', 'closed'] as const).map((end) => (
    <ActButton
      key={end}
      icon={ends[end].icon}
      label={t(`contradiction.${ends[end].word}`)}
      hint={t(`contradiction.${ends[end].word}Hint`)}
      quiet={end === 'closed'}
      permission="refund.approve"
      forbidden={(who) => t('approveForbidden', who)}
      obstacle={obstacleOf(refund.obstacle)}
      dialog={(close) => <DecideDialog refund={refund} accept={end} onClose={close} />}
    />
  ))
}
