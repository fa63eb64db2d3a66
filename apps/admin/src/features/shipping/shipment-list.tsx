'use client'

import { formatFen, shipmentStates, type WaitingShipment } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { idColumn, timeColumn } from '../../kit/list/columns.tsx'
import { defineList, ListPage, tabsOf } from '../../kit/list/define-list.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { FrozenPanel, NothingWaits } from './frozen.tsx'
import { RetryShipping } from './retry-shipping.tsx'

const useWords = () => useTranslations('shipping')

const shipments = defineList(addresses.shipping)<WaitingShipment>({
  name: 'shipments',
  useWords,
  Above: FrozenPanel,
  useRows: (query) => useListPage(useTRPC().shipping.waiting.queryOptions(query)),
  rowKey: ({ outTradeNo }) => outTradeNo,
  rowHref: paths.order,
  useTabs() {
    const t = useWords()
    const tabs = tabsOf(shipmentStates, (state) => ({
      label: t(state ? `states.${state}` : 'all'),
      sets: { state },
    }))
    return { label: t('stateFilter'), tabs }
  },
  Empty: NothingWaits,
  useColumns() {
    const t = useWords()
    return [
      idColumn({
        key: 'order',
        title: t('outTradeNo'),
        card: 'head',
        id: ({ outTradeNo }) => outTradeNo,
        href: paths.order,
      }),
      {
        key: 'state',
        title: t('state'),
        skeleton: 72,
        card: 'sub',
        cell: ({ state }) => (
          <Badge tone={state === 'failed' ? 'bad' : 'wait'} icon={state === 'failed' ? 'alert' : 'clock'}>
            {t(`states.${state}`)}
          </Badge>
        ),
      },
      {
        key: 'amount',
        title: t('frozen'),
        align: 'end',
        skeleton: 64,
        card: 'headEnd',
        cell: ({ amountFen, refundedFen }) => formatFen(amountFen - refundedFen),
      },
      timeColumn({
        key: 'paidAt',
        title: t('paidAt'),
        card: 'line',
        at: ({ paidAt }) => paidAt,
        relative: true,
      }),
      {
        key: 'attempts',
        title: t('attempts'),
        align: 'end',
        skeleton: 24,
        from: 'medium',
        card: 'line',
        cell: ({ attempts }) => attempts,
      },
      {
        key: 'lastCode',
        title: t('lastCode'),
        skeleton: 72,
        card: 'line',
        cell: ({ lastCode }) => lastCode ?? <EmptyValue />,
      },
      {
        key: 'retry',
        title: t('acts'),
        skeleton: 64,
        card: 'line',
        cell: ({ outTradeNo }) => <RetryShipping outTradeNo={outTradeNo} />,
      },
    ]
  },
})

/** What was paid for and not yet reported as handed over. */
export const ShipmentList = () => <ListPage definition={shipments} />
