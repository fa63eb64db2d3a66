import type { AuditRow } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import styles from './audit.module.css'
import { useActionName, useSubjectName } from './use-action-name.ts'

/** How the audit log reads from left to right. */
export function useAuditColumns(): Column<AuditRow>[] {
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
    { key: 'at', title: t('at'), skeleton: 112, card: 'sub', cell: ({ at }) => <DateTime time={at} exact /> },
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
    {
      key: 'requestId',
      title: t('requestId'),
      skeleton: 110,
      from: 'widest',
      card: 'none',
      cell: ({ requestId }) => <Identifier value={requestId} name={t('requestId')} />,
    },
  ]
}
