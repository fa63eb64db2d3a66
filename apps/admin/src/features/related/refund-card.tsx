'use client'

import type { RefundDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RefundStatusBadge } from '../refunds/refund-status-badge.tsx'
import { RelatedCards } from './customer-card.tsx'
import { RelatedMoney } from './related-money.tsx'

function RelatedRefund({ refund }: { refund: RefundDetail }) {
  const t = useTranslations('related')
  const { outRefundNo, amountFen, planName, state, contradicted, createdAt } = refund
  return (
    <RelatedMoney
      title={t('refund')}
      badge={<RefundStatusBadge state={state} contradicted={contradicted} />}
      href={paths.refund({ outRefundNo })}
      amountFen={-amountFen}
      planName={planName}
      number={outRefundNo}
      numberName={t('outRefundNo')}
      createdAt={createdAt}
    />
  )
}

/** The refund that something is about, its customer, and the order it refunds. */
export function RefundCards({ outRefundNo }: { outRefundNo: string }) {
  const t = useTranslations('related')
  const { data, isError } = useQuery(useTRPC().refund.detail.queryOptions({ outRefundNo }))
  if (data)
    return (
      <>
        <RelatedRefund refund={data} />
        <RelatedCards of={{ outTradeNo: data.outTradeNo }} />
      </>
    )
  if (isError) return null
  return (
    <Panel title={t('refund')}>
      <Skeleton height={80} />
    </Panel>
  )
}
