'use client'

import type { AlertDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { useDifferenceColumns } from '../../reconciliation/differences.tsx'

/** So many are shown with their acts; the rest stands on the page of the day. */
const shownAtMost = 20

/** The open differences of the day that the alert is about, each to be taken or resolved here. */
export function AlertDifferences({ alert: { subject: date } }: { alert: AlertDetail }) {
  const t = useTranslations('reconciliation')
  const differences = useTRPC().reconciliation.differences
  const { data } = useQuery(differences.queryOptions({ date, state: 'open', limit: shownAtMost }))
  const columns = useDifferenceColumns()
  return (
    <RecordsPanel
      title={t('differences')}
      rows={data?.items ?? []}
      rowKey={({ id }) => id}
      columns={columns}
    />
  )
}
