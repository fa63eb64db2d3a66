'use client'

import { EXACT_COUNT_LIMIT, formatFen, shipmentStates, type WaitingShipment } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { defineList, ListPage, stateTabs } from '../../kit/list/define-list.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
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
const useFrozen = () => useQuery(useTRPC().shipping.frozen.queryOptions())

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

/** Nothing waits: because all is reported, or because nothing is to be. */
function NothingWaits() {
  const t = useTranslations('shipping')
  return useFrozen().data?.on === false ? (
    <BlankSlate icon="dash" title={t('offTitle')} hint={t('offHint')} />
  ) : (
    <BlankSlate icon="checkCircle" title={t('emptyTitle')} hint={t('emptyHint')} />
  )
}

function FrozenPanel() {
  return (
    <div className={styles['above']}>
      <Panel title={useTranslations('shipping')('frozenTitle')}>
        <Frozen />
      </Panel>
    </div>
  )
}

const useWords = () => useTranslations('shipping')

const retryShipping = defineAct(useWords, {
  icon: 'sync',
  permission: 'shipping.retry',
  words: (t) => ({ label: t('retry'), hint: t('retryHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.shipping.retry.mutate,
    invalidates: ['shipping'],
    done: () => t('retried'),
  }),
})

function ShipmentBadge({ state }: Pick<WaitingShipment, 'state'>) {
  const t = useWords()
  const failed = state === 'failed'
  return <Badge tone={failed ? 'bad' : 'wait'}>{t(`states.${state}`)}</Badge>
}

const shipments = defineList(addresses.shipping)<WaitingShipment>({
  name: 'shipments',
  useWords,
  exportAs: 'shipments',
  Above: FrozenPanel,
  useRows: (query) => useListPage(useTRPC().shipping.waiting.queryOptions(query)),
  rowKey: ({ outTradeNo }) => outTradeNo,
  rowHref: paths.order,
  useTabs: () => stateTabs(useWords(), shipmentStates),
  Empty: NothingWaits,
  useColumns() {
    const column = columnsOf(useWords())
    return [
      column.id('outTradeNo', ({ outTradeNo }) => outTradeNo, {
        key: 'order',
        card: 'head',
        href: paths.order,
      }),
      column.cell('state', ({ state }) => <ShipmentBadge state={state} />, { card: 'sub' }),
      column.money('frozen', ({ amountFen, refundedFen }) => amountFen - refundedFen, {
        key: 'amount',
        card: 'headEnd',
      }),
      column.time('paidAt', ({ paidAt }) => paidAt, { relative: true }),
      column.count('attempts', ({ attempts }) => attempts, { from: 'wide' }),
      column.text('lastCode', ({ lastCode }) => lastCode, { from: 'wide' }),
      column.cell('acts', ({ outTradeNo }) => <DirectAct of={retryShipping} quiet input={{ outTradeNo }} />, {
        key: 'retry',
      }),
    ]
  },
})

/** What was paid for and not yet reported as handed over. */
export const ShipmentList = () => <ListPage definition={shipments} />
