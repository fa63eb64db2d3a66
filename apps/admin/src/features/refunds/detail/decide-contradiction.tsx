'use client'

import type { RefundDetail } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../../kit/act/act-button.tsx'
import { useObstacle } from '../../approvals/use-obstacle.ts'
import { ends } from './contradiction-ends.ts'

const ContradictionDialog = dynamic(
  () => import('./contradiction-dialog.tsx').then((module) => module.ContradictionDialog),
  { ssr: false },
)

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
      dialog={(close) => <ContradictionDialog refund={refund} accept={end} onClose={close} />}
    />
  ))
}
