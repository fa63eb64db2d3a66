import type { LedgerEntry } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../../format.ts'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { paths } from '../../../paths.ts'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import layout from '../../../ui/layout.module.css'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { useFeatureName } from '../use-feature-name.ts'
import styles from './detail.module.css'

/** What an entry comes from: an order, a refund, a device or a person with a reason. */
function Source({ entry }: { entry: LedgerEntry }) {
  const t = useTranslations('subscriptions')
  const { outTradeNo, outRefundNo, serialNumber, reason, operatorEmail, planName } = entry
  return (
    <span className={layout['lines']}>
      {planName}
      {outTradeNo && (
        <Identifier value={outTradeNo} name={t('outTradeNo')} href={paths.order({ outTradeNo })} />
      )}
      {outRefundNo && <Identifier value={outRefundNo} name={t('outRefundNo')} />}
      {serialNumber && <Identifier value={serialNumber} name={t('serialNumber')} />}
      {reason && <span>{reason}</span>}
      {operatorEmail && <span className={layout['note']}>{operatorEmail}</span>}
    </span>
  )
}

/** Every change of the days, in the order they were written; nothing else ever changed them. */
export function LedgerTable({ ledger }: { ledger: readonly LedgerEntry[] }) {
  const t = useTranslations('subscriptions')
  const column = columnsOf(t)
  const zone = useTranslations('shell')('zone')
  const nameOf = useFeatureName()
  const expires = ({ expiresBefore, expiresAfter }: LedgerEntry) => (
    <span className={styles['move']}>
      {expiresBefore && <DateTime time={expiresBefore} />}→ <DateTime time={expiresAfter} />
    </span>
  )
  const columns: Column<LedgerEntry>[] = [
    column.text('ledger.seq', ({ seq }) => `#${seq}`),
    column.text('ledger.kind', ({ kind }) => t(`kinds.${kind}`)),
    column.cell('ledger.source', (entry) => <Source entry={entry} />),
    column.count('ledger.days', ({ days }) => t('signedDays', signedDays(days))),
    column.text(
      'ledger.unused',
      ({ days, unusedDays }) => (days > 0 ? t('days', { days: unusedDays }) : null),
      { align: 'end' },
    ),
    column.text('columns.features', ({ features }) => features.map(nameOf).join(' · ') || null),
    column.time('ledger.effective', ({ effectiveAt }) => effectiveAt),
    column.cell('ledger.expires', expires),
  ]
  return (
    <RecordsPanel
      title={t('ledger.title')}
      aside={<span className={layout['note']}>{zone}</span>}
      rows={ledger.toReversed()}
      rowKey={({ seq }) => String(seq)}
      empty={t('ledger.empty')}
      columns={columns}
    />
  )
}
