import type { LedgerEntry } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../../format.ts'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { EmptyValue } from '../../../ui/empty-value.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { useFeatureName } from '../use-feature-name.ts'
import styles from './detail.module.css'

/** What an entry comes from: an order, a refund, a device or a person with a reason. */
function Source({ entry }: { entry: LedgerEntry }) {
  const t = useTranslations('subscriptions')
  const { outTradeNo, outRefundNo, serialNumber, reason, operatorEmail, planName } = entry
  return (
    <span className={styles['source']}>
      {planName}
      {outTradeNo && (
        <Identifier value={outTradeNo} name={t('outTradeNo')} href={paths.order({ outTradeNo })} />
      )}
      {outRefundNo && <Identifier value={outRefundNo} name={t('outRefundNo')} />}
      {serialNumber && <Identifier value={serialNumber} name={t('serialNumber')} />}
      {reason && <span>{reason}</span>}
      {operatorEmail && <span className={styles['note']}>{operatorEmail}</span>}
    </span>
  )
}

/** Every change of the days, in the order they were written; nothing else ever changed them. */
export function LedgerTable({ ledger }: { ledger: readonly LedgerEntry[] }) {
  const t = useTranslations('subscriptions')
  const zone = useTranslations('shell')('zone')
  const nameOf = useFeatureName()
  return (
    <Panel title={t('ledger.title')} aside={<span className={styles['note']}>{zone}</span>}>
      <PlainTable
        caption={t('ledger.title')}
        rows={ledger.toReversed()}
        rowKey={({ seq }) => String(seq)}
        empty={t('ledger.empty')}
        columns={[
          { key: 'seq', title: t('ledger.seq'), cell: ({ seq }) => `#${seq}` },
          { key: 'kind', title: t('ledger.kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
          { key: 'source', title: t('ledger.source'), cell: (entry) => <Source entry={entry} /> },
          {
            key: 'days',
            title: t('ledger.days'),
            align: 'end',
            cell: ({ days }) => t('signedDays', signedDays(days)),
          },
          {
            key: 'unused',
            title: t('ledger.unused'),
            align: 'end',
            cell: ({ days, unusedDays }) => (days > 0 ? t('days', { days: unusedDays }) : <EmptyValue />),
          },
          {
            key: 'features',
            title: t('columns.features'),
            cell: ({ features }) => (features.length > 0 ? features.map(nameOf).join(' · ') : <EmptyValue />),
          },
          {
            key: 'effective',
            title: t('ledger.effective'),
            cell: ({ effectiveAt }) => <DateTime time={effectiveAt} />,
          },
          {
            key: 'expires',
            title: t('ledger.expires'),
            cell: ({ expiresBefore, expiresAfter }) => (
              <span className={styles['move']}>
                {expiresBefore && <DateTime time={expiresBefore} />}→ <DateTime time={expiresAfter} />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  )
}
