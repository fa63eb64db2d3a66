'use client'

import { EXACT_COUNT_LIMIT, mayOperator } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { useAuditColumns } from './audit-columns.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditListParams, auditFilterOf, auditListQueryOf, hasFilters } from './audit-list-params.ts'
import { type AuditListState, useAuditList } from './use-audit-list.ts'

function Count({ params }: { params: AuditListParams }) {
  const t = useTranslations('audit')
  const trpc = useTRPC()
  const rows = useQuery({
    ...trpc.audit.count.queryOptions(auditFilterOf(params)),
    placeholderData: keepPreviousData,
  })
  if (rows.isError) return <span>{t('countFailed')}</span>
  if (!rows.data) return <Skeleton width={80} />
  return rows.data.more
    ? t('countMore', { count: EXACT_COUNT_LIMIT })
    : t('count', { count: rows.data.count })
}

function Empty({ list }: { list: AuditListState }) {
  const t = useTranslations('audit')
  return (
    <BlankSlate
      icon="search"
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      {...(hasFilters(list.params) && { action: <Button onClick={list.clear}>{t('clear')}</Button> })}
    />
  )
}

function AuditTable({ list }: { list: AuditListState }) {
  const t = useTranslations('audit')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.audit.list.queryOptions(auditListQueryOf(list.params)),
    placeholderData: keepPreviousData,
  })
  const { previousCursor, nextCursor } = page.data ?? { previousCursor: null, nextCursor: null }
  const { turnTo } = list
  const turns = useMemo(
    () => ({
      previous: previousCursor === null ? null : () => turnTo(previousCursor),
      next: nextCursor === null ? null : () => turnTo(nextCursor),
    }),
    [previousCursor, nextCursor, turnTo],
  )
  return (
    <DataTable
      caption={t('caption')}
      columns={useAuditColumns()}
      rows={page.data?.items}
      rowKey={(row) => row.id}
      rowHref={paths.auditEntry}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={<Empty list={list} />}
      turns={turns}
    />
  )
}

/** What operators did: everybody's acts, or one's own. */
export function AuditView() {
  const t = useTranslations('audit')
  const list = useAuditList()
  const { operator } = useConsole()
  const everybody = mayOperator(operator.role, 'audit.everybody')
  return (
    <>
      <PageHeader title={everybody ? t('title') : t('titleOwn')} aside={<Count params={list.params} />} />
      <SavedViews />
      <Panel>
        <AuditFilters list={list} />
        <AuditTable list={list} />
      </Panel>
    </>
  )
}
