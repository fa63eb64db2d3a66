import type { StaffMember } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import styles from './staff.module.css'
import { FactorBadge, StaffBadge } from './staff-badge.tsx'

/** How the list of the staff reads from left to right. */
export function useStaffColumns(): Column<StaffMember>[] {
  const t = useTranslations('staff.columns')
  const roles = useTranslations('shell.roles')
  return [
    {
      key: 'email',
      title: t('email'),
      skeleton: 180,
      card: 'head',
      cell: (member) => (
        <Link href={paths.staffMember(member)} prefetch={false} className={styles['email']}>
          {member.email}
        </Link>
      ),
    },
    { key: 'name', title: t('name'), skeleton: 96, from: 'medium', card: 'sub', cell: ({ name }) => name },
    { key: 'role', title: t('role'), skeleton: 64, card: 'subEnd', cell: ({ role }) => roles(role) },
    {
      key: 'state',
      title: t('state'),
      skeleton: 72,
      card: 'headEnd',
      cell: (member) => <StaffBadge member={member} />,
    },
    {
      key: 'factor',
      title: t('factor'),
      skeleton: 96,
      from: 'medium',
      card: 'line',
      cell: (member) => <FactorBadge member={member} />,
    },
    {
      key: 'lastSeenAt',
      title: t('lastSeenAt'),
      skeleton: 112,
      from: 'wide',
      card: 'line',
      cell: ({ lastSeenAt }) => (lastSeenAt ? <DateTime time={lastSeenAt} /> : <EmptyValue />),
    },
    {
      key: 'openSessions',
      title: t('openSessions'),
      align: 'end',
      skeleton: 24,
      from: 'wide',
      card: 'none',
      cell: ({ openSessions }) => openSessions,
    },
  ]
}
