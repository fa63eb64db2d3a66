'use client'

import { type AuditRow, mayOperator } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import styles from './audit.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { useActionName, useSubjectName } from './use-action-name.ts'

const useWords = () => useTranslations('audit')

const audit = defineList(addresses.audit)<AuditRow>({
  name: 'audit',
  useWords,
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
    const subject = ({ subjectId, subjectType }: AuditRow) => (
      <Identifier value={subjectId} name={subjectOf(subjectType)} />
    )
    return [
      column.cell('action', action, { card: 'head', skeleton: 120 }),
      column.time('at', ({ at }) => at, { card: 'sub', exact: true }),
      column.cell('operator', ({ operatorEmail }) => operatorEmail, { skeleton: 160 }),
      column.cell('subject', subject, { skeleton: 150 }),
      column.cell('address', ({ address }) => address, { card: 'none', from: 'wide', skeleton: 90 }),
      column.id('requestId', ({ requestId }) => requestId, { card: 'none', from: 'widest' }),
    ]
  },
})

/** What operators did. */
export const AuditList = () => <ListPage definition={audit} />
