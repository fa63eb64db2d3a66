import type { OrderGrant } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../../format.ts'
import { Moment } from '../../../ui/moment.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import styles from './detail.module.css'
import { useWord } from './use-word.ts'

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
            cell: (grant) => t('signedDays', signedDays(grant.days)),
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
