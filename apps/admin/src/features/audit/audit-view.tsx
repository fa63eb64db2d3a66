'use client'

import { mayOperator } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ListCount } from '../lists/list-count.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { useListState } from '../lists/use-list-state.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { useAuditColumns } from './audit-columns.tsx'
import { AuditFilters } from './audit-filters.tsx'
import {
  type AuditListState,
  auditFilterOf,
  auditListParsers,
  auditListQueryOf,
  noFilters,
} from './audit-list-params.ts'

function Empty({ list }: { list: AuditListState }) {
  const t = useTranslations('audit')
  return (
    <BlankSlate
      icon="search"
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      {...(list.filtered && { action: <Button onClick={list.clear}>{t('clear')}</Button> })}
    />
  )
}

function AuditTable({ list }: { list: AuditListState }) {
  const t = useTranslations('audit')
  const trpc = useTRPC()
  return (
    <DataTable
      name="audit"
      caption={t('caption')}
      columns={useAuditColumns()}
      rowKey={(row) => row.id}
      rowHref={paths.auditEntry}
      empty={<Empty list={list} />}
      {...useListPage(trpc.audit.list.queryOptions(auditListQueryOf(list.params)))}
    />
  )
}

/** What operators did: everybody's acts, or one's own. */
export function AuditView() {
  const t = useTranslations('audit')
  const trpc = useTRPC()
  const list = useListState(auditListParsers, noFilters)
  const { operator } = useConsole()
  const everybody = mayOperator(operator.role, 'audit.everybody')
  return (
    <>
      <PageHeader
        title={everybody ? t('title') : t('titleOwn')}
        aside={
          <ListCount
            t={t}
            failed={t('countFailed')}
            query={trpc.audit.count.queryOptions(auditFilterOf(list.params))}
          />
        }
      />
      <SavedViews />
      <Panel>
        <AuditFilters list={list} />
        <AuditTable list={list} />
      </Panel>
    </>
  )
}
