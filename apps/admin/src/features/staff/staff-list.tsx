'use client'

import type { StaffMember } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
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

const useWords = () => useTranslations('staff')

const inviteOperator = defineDialogAct(useWords, {
  icon: 'plus',
  permission: 'operator.manage',
  words: (t) => ({ label: t('invite'), hint: t('inviteHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (_, close) => <InviteDialog onClose={close} />,
})

const staff = defineList(addresses.staff)<StaffMember>({
  name: 'staff',
  useWords,
  useRefusal() {
    const t = useWords()
    const forbidden = useForbidden('operator.manage')
    return forbidden && { title: t('forbiddenTitle'), hint: t('forbidden', forbidden) }
  },
  Actions: () => <DialogAct of={inviteOperator} />,
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
    const column = columnsOf(useTranslations('staff.columns'))
    const roles = useTranslations('shell.roles')
    const email = (member: StaffMember) => (
      <Link href={paths.staffMember(member)} prefetch={false} className={styles['email']}>
        {member.email}
      </Link>
    )
    return [
      column.cell('email', email, { card: 'head', skeleton: 180 }),
      column.cell('name', ({ name }) => name, { card: 'sub', from: 'medium' }),
      column.text('role', ({ role }) => roles(role), { card: 'subEnd' }),
      column.cell('state', (member) => <StaffBadge member={member} />, { card: 'headEnd' }),
      column.cell('factor', (member) => <FactorBadge member={member} />, { from: 'medium', skeleton: 96 }),
      column.time('lastSeenAt', ({ lastSeenAt }) => lastSeenAt, { from: 'wide' }),
      column.count('openSessions', ({ openSessions }) => openSessions, { card: 'none', from: 'wide' }),
    ]
  },
})

/** Who works with the console, for who may look after them. */
export const StaffList = () => <ListPage definition={staff} />
