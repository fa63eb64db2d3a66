'use client'

import { type AuditRow, mayOperator } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { idColumn, timeColumn } from '../../kit/list/columns.tsx'
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
    return useCountWords({ t, failed: t('countFailed'), query: useTRPC().audit.count.queryOptions(filter) })
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
    const t = useTranslations('audit.columns')
    const nameOf = useActionName()
    const subjectOf = useSubjectName()
    return [
      {
        key: 'action',
        title: t('action'),
        skeleton: 120,
        card: 'head',
        cell: (row) => (
          <Link href={paths.auditEntry(row)} prefetch={false} className={styles['action']}>
            {nameOf(row.action)}
          </Link>
        ),
      },
      timeColumn({ key: 'at', title: t('at'), card: 'sub', at: ({ at }) => at, exact: true }),
      {
        key: 'operator',
        title: t('operator'),
        skeleton: 160,
        card: 'line',
        cell: ({ operatorEmail }) => operatorEmail,
      },
      {
        key: 'subject',
        title: t('subject'),
        skeleton: 150,
        card: 'line',
        cell: ({ subjectId, subjectType }) => <Identifier value={subjectId} name={subjectOf(subjectType)} />,
      },
      {
        key: 'address',
        title: t('address'),
        skeleton: 90,
        from: 'wide',
        card: 'none',
        cell: ({ address }) => address,
      },
      idColumn({
        key: 'requestId',
        title: t('requestId'),
        skeleton: 110,
        from: 'widest',
        card: 'none',
        id: ({ requestId }) => requestId,
      }),
    ]
  },
})

/** What operators did. */
export const AuditList = () => <ListPage definition={audit} />
