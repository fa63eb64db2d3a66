import type { OrderGrant } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Moment } from '../../../ui/moment.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import styles from './detail.module.css'
import { useWord } from './use-word.ts'

const signed = (days: number): string => (days < 0 ? `−${Math.abs(days)}` : `+${days}`)

/** The ledger entries of this order: the days it gave, and those taken back. */
export function OrderGrants({ grants }: { grants: readonly OrderGrant[] }) {
  const t = useTranslations('order')
  const word = useWord()
  return (
    <Panel title={t('grants')}>
      <PlainTable
        caption={t('grants')}
        rows={grants}
        rowKey={(grant) => String(grant.seq)}
        empty={t('grantsEmpty')}
        columns={[
          { key: 'seq', title: t('grantSeq'), cell: (grant) => `#${grant.seq}` },
          { key: 'kind', title: t('grantKind'), cell: (grant) => word('grantKinds', grant.kind) },
          {
            key: 'days',
            title: t('grantDays'),
            align: 'end',
            cell: (grant) => t('signedDays', { days: signed(grant.days) }),
          },
          {
            key: 'effective',
            title: t('grantEffective'),
            cell: (grant) => <Moment time={grant.effectiveAt} />,
          },
          {
            key: 'expires',
            title: t('grantExpires'),
            cell: (grant) => (
              <span className={styles['move']}>
                {grant.expiresBefore && <Moment time={grant.expiresBefore} />}→{' '}
                <Moment time={grant.expiresAfter} />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  )
}
