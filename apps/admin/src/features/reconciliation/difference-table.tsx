'use client'

import type { DifferenceListQuery } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { useCursor } from '../../ui/use-cursor.ts'
import { useDifferenceColumns } from './difference-columns.tsx'

/** Work items, oldest first. */
export function DifferenceTable({ query, withDate }: { query: DifferenceListQuery; withDate: boolean }) {
  const t = useTranslations('reconciliation')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.reconciliation.differences.queryOptions(query),
    placeholderData: keepPreviousData,
  })
  return (
    <DataTable
      caption={t('differences')}
      columns={useDifferenceColumns(withDate)}
      rows={page.data?.items}
      rowKey={({ id }) => id}
      rowHref={paths.reconciledDay}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={<BlankSlate icon="checkCircle" title={t('noDifferencesTitle')} hint={t('noDifferencesHint')} />}
      turns={useCursor(page.data)}
    />
  )
}
