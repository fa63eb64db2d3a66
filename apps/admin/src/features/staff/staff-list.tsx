'use client'

import type { StaffMember } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { ActButton } from '../../kit/act/act-button.tsx'
import { timeColumn } from '../../kit/list/columns.tsx'
import { defineList, ListPage, tabsOf } from '../../kit/list/define-list.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { SignInFailures } from './sign-in-failures.tsx'
import styles from './staff.module.css'
import { FactorBadge, StaffBadge } from './staff-badge.tsx'

const InviteDialog = dynamic(() => import('./staff-dialogs.tsx').then((module) => module.InviteDialog), {
  ssr: false,
})

function InviteButton() {
  const t = useTranslations('staff')
  return (
    <ActButton
      icon="plus"
      label={t('invite')}
      hint={t('inviteHint')}
      permission="operator.manage"
      forbidden={(who) => t('forbidden', who)}
      dialog={(close) => <InviteDialog onClose={close} />}
    />
  )
}

const useWords = () => useTranslations('staff')

const staff = defineList(addresses.staff)<StaffMember>({
  name: 'staff',
  useWords,
  useRefusal() {
    const t = useWords()
    const forbidden = useForbidden('operator.manage')
    return forbidden && { title: t('forbiddenTitle'), hint: t('forbidden', forbidden) }
  },
  Actions: InviteButton,
  Below: SignInFailures,
  useRows: (query) => useListPage(useTRPC().staff.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: paths.staffMember,
  useTabs() {
    const t = useWords()
    const tabs = tabsOf(['enabled', 'disabled'], (state) => ({
      label: t(`tabs.${state ?? 'all'}`),
      sets: { state },
    }))
    return { label: t('stateFilter'), tabs }
  },
  Empty() {
    const t = useWords()
    return <BlankSlate icon="search" title={t('emptyTitle')} hint={t('emptyHint')} />
  },
  useColumns() {
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
      timeColumn({
        key: 'lastSeenAt',
        title: t('lastSeenAt'),
        from: 'wide',
        card: 'line',
        at: ({ lastSeenAt }) => lastSeenAt,
      }),
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
  },
})

/** Who works with the console, for who may look after them. */
export const StaffList = () => <ListPage definition={staff} />
