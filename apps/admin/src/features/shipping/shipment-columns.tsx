import { formatFen, type WaitingShipment } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { RetryShipping } from './retry-shipping.tsx'

/** How a waiting order reads from left to right. */
export function useShipmentColumns(): Column<WaitingShipment>[] {
  const t = useTranslations('shipping')
  return [
    {
      key: 'order',
      title: t('outTradeNo'),
      skeleton: 132,
      card: 'head',
      cell: (row) => <Identifier value={row.outTradeNo} name={t('outTradeNo')} href={paths.order(row)} />,
    },
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
    {
      key: 'paidAt',
      title: t('paidAt'),
      skeleton: 112,
      card: 'line',
      cell: ({ paidAt }) => <DateTime time={paidAt} relative />,
    },
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
}
