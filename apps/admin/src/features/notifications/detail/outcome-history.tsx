import type { NotificationOutcomeEntry } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { columnsOf } from '../../../kit/list/columns.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { MismatchTable, mismatchOf } from '../../mismatch/mismatch-table.tsx'
import { OutcomeBadge } from '../outcome-badge.tsx'

/** What differed, or why it could not be read. */
function Why({ detail }: { detail: NotificationOutcomeEntry['detail'] }) {
  const t = useTranslations('notifications')
  const reasons: Readonly<Record<string, string>> = useMessages().notifications.reasons
  const rows = mismatchOf(detail)
  const { reason, verdict } = detail
  if (rows.length > 0) return <MismatchTable rows={rows} />
  if (verdict === 'contradicted') return <>{t('contradicted')}</>
  return typeof reason === 'string' ? (reasons[reason] ?? reason) : null
}

/** Each time the notification was processed, newest first: nothing is overwritten here. */
export function OutcomeHistory({ outcomes }: { outcomes: readonly NotificationOutcomeEntry[] }) {
  const t = useTranslations('notifications')
  const column = columnsOf(t)
  const columns: Column<NotificationOutcomeEntry>[] = [
    column.time('at', ({ at }) => at, { exact: true }),
    column.text('processedBy', ({ replayed }) => t(replayed ? 'byReplay' : 'byDelivery')),
    column.cell('outcome', ({ outcome }) => <OutcomeBadge outcome={outcome} />),
    column.cell('differed', ({ detail }) => <Why detail={detail} />),
  ]
  return <RecordsPanel title={t('history')} rows={outcomes} rowKey={({ id }) => id} columns={columns} />
}
