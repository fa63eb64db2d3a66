import { type FinanceMonth, formatFen, LATE_ENTRIES_SHOWN, type LateEntry } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { Notice } from '../../ui/notice.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import styles from './finance.module.css'

const kindWords = { payment: 'late.kinds.payment', refund: 'late.kinds.refund' } as const

const signed = ({ kind, amountFen }: LateEntry) => (kind === 'refund' ? -amountFen : amountFen)

/** Payments and refunds of closed months that are booked in this one; nothing where there are none. */
export function LateEntries({ shown: { late } }: { shown: FinanceMonth }) {
  const t = useTranslations('finance')
  const column = columnsOf(t)
  if (late.length === 0) return null
  const columns: Column<LateEntry>[] = [
    column.text('late.kind', ({ kind }) => t(kindWords[kind])),
    column.id('late.order', ({ outTradeNo }) => outTradeNo, { href: paths.order }),
    column.id('late.refund', ({ outRefundNo }) => outRefundNo),
    column.count('late.amount', (entry) => formatFen(signed(entry))),
    column.time('late.happenedAt', ({ happenedAt }) => happenedAt),
    column.time('late.bookedAt', ({ bookedAt }) => bookedAt),
  ]
  const sum = late.reduce((all, entry) => all + signed(entry), 0)
  return (
    <>
      <RecordsPanel
        title={t('late.title')}
        aside={<span className={styles['rule']}>{t('late.sum', { sum: formatFen(sum) })}</span>}
        rows={late}
        rowKey={({ outTradeNo, outRefundNo }) => `${outTradeNo} ${outRefundNo ?? ''}`}
        columns={columns}
      />
      {late.length === LATE_ENTRIES_SHOWN && <Notice tone="wait">{t('late.more')}</Notice>}
    </>
  )
}
