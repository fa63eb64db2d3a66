'use client'

import { EXACT_COUNT_LIMIT, formatFen } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { paths } from '../../paths.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StaleNotice } from '../../ui/stale-notice.tsx'
import styles from './shipping.module.css'

/** What the platform holds back until it learns that the goods were handed over. */
export const useFrozen = () => useQuery(useTRPC().shipping.frozen.queryOptions())

/** The sum the platform holds back, and how long already. */
function Frozen() {
  const t = useTranslations('shipping')
  const failureOf = useFailure()
  const frozen = useFrozen()
  const failure = failureOf(frozen.error)
  if (failure && !frozen.data) return <FailurePanel failure={failure} onRetry={() => void frozen.refetch()} />
  if (!frozen.data) return <Skeleton height={56} />
  const { on, frozenFen, orders, failed, oldest } = frozen.data
  const many = (count: number) =>
    count > EXACT_COUNT_LIMIT ? `${formatCount(EXACT_COUNT_LIMIT)}+` : formatCount(count)
  const facts = [
    {
      key: 'fen',
      term: t('frozen'),
      value: on ? <strong className={styles['fen']}>{formatFen(frozenFen)}</strong> : null,
    },
    { key: 'orders', term: t('orders'), value: on ? many(orders) : null },
    { key: 'failed', term: t('failed'), value: on ? many(failed) : null },
    {
      key: 'oldest',
      term: t('oldest'),
      value: oldest && (
        <span className={styles['oldest']}>
          <Identifier value={oldest.outTradeNo} name={t('outTradeNo')} href={paths.order(oldest)} />
          <DateTime time={oldest.paidAt} relative />
        </span>
      ),
    },
  ]
  return (
    <>
      <StaleNotice of={frozen} />
      <div className={styles['rows']}>
        {!on && (
          <Notice tone="info" icon="dash">
            {t('off')}
          </Notice>
        )}
        <DescriptionList items={facts} />
      </div>
    </>
  )
}

/** What the platform holds back, above what waits. */
export function FrozenPanel() {
  return (
    <div className={styles['above']}>
      <Panel title={useTranslations('shipping')('frozenTitle')}>
        <Frozen />
      </Panel>
    </div>
  )
}
