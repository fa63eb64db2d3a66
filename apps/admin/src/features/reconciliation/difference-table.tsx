'use client'

import type { DifferenceListQuery } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { useDifferenceColumns } from './difference-columns.tsx'

/** Work items, oldest first. */
export function DifferenceTable({ query, withDate }: { query: DifferenceListQuery; withDate: boolean }) {
  const t = useTranslations('reconciliation')
  const trpc = useTRPC()
  return (
    <DataTable
      name="differences"
      caption={t('differences')}
      columns={useDifferenceColumns(withDate)}
      rowKey={({ id }) => id}
      rowHref={paths.reconciledDay}
      empty={<BlankSlate icon="checkCircle" title={t('noDifferencesTitle')} hint={t('noDifferencesHint')} />}
      {...useListPage(trpc.reconciliation.differences.queryOptions(query))}
    />
  )
}
