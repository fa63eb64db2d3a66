'use client'

import { shipmentStates, type WaitingShipment } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { defineList, ListPage, stateTabs } from '../../kit/list/define-list.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { SubscriptionLink, UserLink } from '../related/row-links.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'
import { FrozenPanel, useFrozen } from './frozen-panel.tsx'

/** Nothing waits: because all is reported, or because nothing is to be. */
function NothingWaits() {
  const t = useTranslations('shipping')
  return useFrozen().data?.on === false ? (
    <BlankSlate icon="dash" title={t('offTitle')} hint={t('offHint')} />
  ) : (
    <BlankSlate icon="checkCircle" title={t('emptyTitle')} hint={t('emptyHint')} />
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
  useRowActs: () => (shipment) => (
    <>
      <SubscriptionLink userId={shipment.userId} />
      <UserLink userId={shipment.userId} />
    </>
  ),
  useTabs: () => stateTabs(useWords(), shipmentStates),
  Empty: NothingWaits,
  useColumns() {
    const column = columnsOf(useWords())
    const customerPlace = useCustomerPlace()
    return [
      column.id('outTradeNo', ({ outTradeNo }) => outTradeNo, {
        key: 'order',
        card: 'head',
        href: paths.order,
      }),
      column.person('user', ({ customer }) => customer, { ...customerPlace, from: 'medium' }),
      column.cell('state', ({ state }) => <ShipmentBadge state={state} />, { card: 'sub' }),
      // Not at the end, where the signs of the row would lie over it.
      column.cell('acts', ({ outTradeNo }) => <DirectAct of={retryShipping} quiet input={{ outTradeNo }} />, {
        key: 'retry',
      }),
      column.money('frozen', ({ amountFen, refundedFen }) => amountFen - refundedFen, {
        key: 'amount',
        card: 'headEnd',
      }),
      column.count('attempts', ({ attempts }) => attempts, { from: 'wide' }),
      column.text('lastCode', ({ lastCode }) => lastCode, { from: 'wide' }),
      column.time('paidAt', ({ paidAt }) => paidAt, { relative: true }),
    ]
  },
})

/** What was paid for and not yet reported as handed over. */
export const ShipmentList = () => <ListPage definition={shipments} />
