import { formatFen, type OrderRefund } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { RefundStatusBadge } from '../../refunds/refund-status-badge.tsx'

/** What went back of this order's money, or is on its way. */
export function OrderRefunds({ refunds }: { refunds: readonly OrderRefund[] }) {
  const t = useTranslations('order')
  const words = useTranslations('refunds')
  return (
    <Panel title={t('refunds')}>
      <PlainTable
        caption={t('refunds')}
        rows={refunds}
        rowKey={({ outRefundNo }) => outRefundNo}
        empty={t('refundsEmpty')}
        columns={[
          {
            key: 'number',
            title: words('outRefundNo'),
            cell: (refund) => (
              <Identifier
                value={refund.outRefundNo}
                name={words('outRefundNo')}
                href={paths.refund(refund)}
              />
            ),
          },
          {
            key: 'status',
            title: words('status'),
            cell: ({ state, ofSecondPayment }) => (
              <>
                <RefundStatusBadge state={state} /> {ofSecondPayment && words('secondPayment.mark')}
              </>
            ),
          },
          {
            key: 'amount',
            title: words('amount'),
            align: 'end',
            cell: ({ amountFen }) => formatFen(-amountFen),
          },
          { key: 'at', title: words('createdAt'), cell: ({ createdAt }) => <DateTime time={createdAt} /> },
        ]}
      />
    </Panel>
  )
}
