'use client'

import { type AuditRow, mayOperator } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import type { ParamsOf } from '../../kit/list/address.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { ClearFilters, DaysFilter, FilterBar, SearchFilter } from '../../kit/list/filters.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import type { ListState } from '../../kit/list/use-list-state.ts'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Link } from '../../ui/link.tsx'
import { SearchInput } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './audit.module.css'
import { AuditRowActs } from './audit-row-acts.tsx'
import { useActionName, useSubjectName } from './entry-words.ts'

/** What stands for every action: a list has no empty choice. */
const ALL = ''

type Props = { list: ListState<ParamsOf<typeof addresses.audit>> }

function ActionFilter({ list: { params, change } }: Props) {
  const t = useTranslations('audit')
  const trpc = useTRPC()
  const nameOf = useActionName()
  const { data } = useQuery(trpc.audit.actions.queryOptions())
  return (
    <Select
      className={styles['select'] ?? ''}
      aria-label={t('actionFilter')}
      searchable
      value={params.action ?? ALL}
      options={[
        { value: ALL, label: t('actionFilter') },
        ...(data?.items ?? []).map((value) => ({ value, label: nameOf(value) })),
      ]}
      onChange={(action) => change({ action: action === ALL ? null : action })}
    />
  )
}

/** Whose acts; only for who may read about everybody. */
function OperatorFilter({ list: { params, change } }: Props) {
  const t = useTranslations('audit')
  const { operator } = useConsole()
  const field = useRef<HTMLInputElement>(null)
  if (!mayOperator(operator.role, 'audit.everybody')) return null
  return (
    <SearchInput
      key={params.operator}
      field={field}
      className={styles['who'] ?? ''}
      aria-label={t('operatorFilter')}
      placeholder={t('operatorFilter')}
      defaultValue={params.operator ?? ''}
      maxLength={254}
      search={(wanted) => change({ operator: wanted.trim() || null })}
    />
  )
}

function AuditFilters({ list }: Props) {
  const t = useTranslations('audit')
  return (
    <FilterBar>
      <SearchFilter t={t} list={list} />
      <OperatorFilter list={list} />
      <ActionFilter list={list} />
      <DaysFilter t={t} label={t('dates')} list={list} presets={['today', 'lastWeek', 'lastMonth']} />
      <ClearFilters list={list} label={t('clear')} />
    </FilterBar>
  )
}

const useWords = () => useTranslations('audit')

const audit = defineList(addresses.audit)<AuditRow>({
  name: 'audit',
  useWords,
  exportAs: 'audit',
  /** Everybody's acts, or one's own. */
  useTitle() {
    const { role } = useConsole().operator
    return useWords()(mayOperator(role, 'audit.everybody') ? 'title' : 'titleOwn')
  },
  useSum(filter) {
    const t = useWords()
    return useCountWords(t, useTRPC().audit.count.queryOptions(filter), t('countFailed'))
  },
  useRows: (query) => useListPage(useTRPC().audit.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: paths.auditEntry,
  useRowActs: () => (entry) => <AuditRowActs entry={entry} />,
  Filters: AuditFilters,
  Empty({ list }) {
    const t = useWords()
    return (
      <BlankSlate
        icon="search"
        title={t('noMatchTitle')}
        hint={t('noMatchHint')}
        {...(list.filtered && { action: <Button onClick={list.clear}>{t('clear')}</Button> })}
      />
    )
  },
  useColumns() {
    const column = columnsOf(useTranslations('audit.columns'))
    const nameOf = useActionName()
    const subjectOf = useSubjectName()
    const action = (row: AuditRow) => (
      <Link href={paths.auditEntry(row)} prefetch={false} className={styles['action']}>
        {nameOf(row.action)}
      </Link>
    )
    const operator = ({ operatorEmail }: AuditRow) => (
      <span className={styles['operator']}>{operatorEmail}</span>
    )
    const subject = ({ subjectId, subjectType }: AuditRow) => (
      <Identifier value={subjectId} name={subjectOf(subjectType)} />
    )
    return [
      column.cell('action', action, { card: 'head', skeleton: 120 }),
      column.time('at', ({ at }) => at, { card: 'sub', exact: true }),
      column.cell('operator', operator, { skeleton: 160 }),
      column.cell('subject', subject, { skeleton: 150 }),
      column.cell('address', ({ address }) => address, { card: 'none', from: 'widest', skeleton: 90 }),
      column.id('requestId', ({ requestId }) => requestId, { card: 'none', from: 'widest' }),
    ]
  },
})

/** What operators did. */
export const AuditList = () => <ListPage definition={audit} />
