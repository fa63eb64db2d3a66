'use client'

import { formatFen, type RefundDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useSoldName } from '../plans/plan-name.ts'
import { RefundStatusBadge } from '../refunds/refund-status-badge.tsx'
import { RelatedCards } from './customer-card.tsx'
import styles from './related.module.css'

function RelatedRefund({ refund }: { refund: RefundDetail }) {
  const t = useTranslations('related')
  const soldName = useSoldName()
  const { outRefundNo, amountFen, planName, state, contradicted, createdAt } = refund
  return (
    <Panel title={t('refund')} aside={<RefundStatusBadge state={state} contradicted={contradicted} />}>
      <p className={styles['name']}>
        <Link href={paths.refund({ outRefundNo })}>
          {formatFen(-amountFen)} · {soldName(planName)}
        </Link>
      </p>
      <Identifier value={outRefundNo} name={t('outRefundNo')} />
      <p className={styles['note']}>
        <DateTime time={createdAt} />
      </p>
    </Panel>
  )
}

/** The refund that a thing is about, then whose it is and the order that it returns money of. */
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
