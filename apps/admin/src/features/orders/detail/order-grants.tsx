import type { OrderDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../../format.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import styles from './detail.module.css'
import { useWord } from './use-word.ts'

/** Why an order has no entry in the ledger. */
function emptyOf({ status, parked }: Pick<OrderDetail, 'status' | 'parked'>) {
  if (status === 'paid' || status === 'refunded') return parked ? 'grantsWait' : 'grantsNone'
  return status === 'closed' ? 'grantsNone' : 'grantsEmpty'
}

/** The ledger entries of this order: the days it gave, and those taken back. */
export function OrderGrants({ order }: { order: Pick<OrderDetail, 'grants' | 'status' | 'parked'> }) {
  const t = useTranslations('order')
  const { grants } = order
  const word = useWord()
  return (
    <Panel title={t('grants')}>
      <PlainTable
        caption={t('grants')}
        rows={grants}
        rowKey={(grant) => String(grant.seq)}
        empty={t(emptyOf(order))}
        columns={[
          { key: 'seq', title: t('grantSeq'), cell: (grant) => `#${grant.seq}` },
          { key: 'kind', title: t('grantKind'), cell: (grant) => word('grantKinds', grant.kind) },
          {
            key: 'days',
            title: t('grantDays'),
            align: 'end',
            cell: (grant) => t('signedDays', signedDays(grant.days)),
          },
          {
            key: 'effective',
            title: t('grantEffective'),
            cell: (grant) => <DateTime time={grant.effectiveAt} />,
          },
          {
            key: 'expires',
            title: t('grantExpires'),
            cell: (grant) => (
              <span className={styles['move']}>
                {grant.expiresBefore && <DateTime time={grant.expiresBefore} />}→{' '}
                <DateTime time={grant.expiresAfter} />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  )
}
