import type { NotificationOutcomeEntry } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { DateTime } from '../../../ui/date-time.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
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
  if (outcomes.length === 0) return null
  return (
    <Panel title={t('history')}>
      <PlainTable
        caption={t('history')}
        rows={outcomes}
        rowKey={({ id }) => id}
        empty={t('none')}
        columns={[
          { key: 'at', title: t('at'), cell: ({ at }) => <DateTime time={at} exact /> },
          {
            key: 'by',
            title: t('processedBy'),
            cell: ({ replayed }) => t(replayed ? 'byReplay' : 'byDelivery'),
          },
          { key: 'outcome', title: t('outcome'), cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
          { key: 'why', title: t('differed'), cell: ({ detail }) => <Why detail={detail} /> },
        ]}
      />
    </Panel>
  )
}
