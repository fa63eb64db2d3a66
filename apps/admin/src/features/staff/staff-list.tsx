'use client'

import { retention, type SignInFailure, type StaffMember } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { addresses } from '../../addresses.ts'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { defineList, ListPage, tabsOf } from '../../kit/list/define-list.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './staff.module.css'
import { StaffRowActs } from './staff-acts.tsx'
import { FactorWords, StaffBadge } from './staff-badge.tsx'

/** So many are seen at a glance; a flood of them does not make the page long. */
const shownAtFirst = 8

function FailureTable({ failures }: { failures: readonly SignInFailure[] }) {
  const t = useTranslations('staff.signInFailures')
  const [all, setAll] = useState(false)
  const column = columnsOf(t)
  const who = (failure: SignInFailure) =>
    failure.operatorId === null ? (
      failure.who
    ) : (
      <Link href={paths.staffMember({ id: failure.operatorId })} prefetch={false}>
        {failure.who}
      </Link>
    )
  const rest = failures.length > shownAtFirst && !all
  const columns: Column<SignInFailure>[] = [
    column.time('at', ({ at }) => at),
    column.cell('who', who),
    column.cell('address', ({ address }) => address),
    column.text('reason', ({ reason }) => t(`reasons.${reason}`)),
  ]
  return (
    <>
      <PlainTable
        caption={t('title')}
        rows={rest ? failures.slice(0, shownAtFirst) : failures}
        rowKey={({ id }) => id}
        empty={t('empty', retention.sign_in_failures)}
        columns={columns}
      />
      {rest && (
        <Button className={styles['more'] ?? ''} onClick={() => setAll(true)}>
          {t('showAll', { count: failures.length })}
        </Button>
      )}
    </>
  )
}

/** The latest failed sign-ins, for owners: who is shown masked. */
function SignInFailures() {
  const t = useTranslations('staff.signInFailures')
  const failureOf = useFailure()
  const { data, error, refetch } = useQuery(useTRPC().staff.signInFailures.queryOptions())
  const failure = data === undefined ? failureOf(error) : null
  return (
    <div className={styles['failures']}>
      <Panel title={t('title')}>
        <p className={styles['lead']}>{t('lead', retention.sign_in_failures)}</p>
        {!data && !failure && <Skeleton height={160} />}
        {failure && <FailurePanel failure={failure} onRetry={() => void refetch()} />}
        {data && <FailureTable failures={data} />}
      </Panel>
    </div>
  )
}

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
  exportAs: 'staff',
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
  useRowActs: () => (member) => <StaffRowActs member={member} />,
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
    const name = (member: StaffMember) => <span className={styles['name']}>{member.name}</span>
    return [
      column.cell('email', email, { card: 'head', skeleton: 180 }),
      column.cell('name', name, { card: 'sub', from: 'medium' }),
      column.text('role', ({ role }) => roles(role), { card: 'subEnd' }),
      column.cell('state', (member) => <StaffBadge member={member} />, { card: 'headEnd' }),
      column.cell('factor', (member) => <FactorWords member={member} />, { from: 'medium', skeleton: 96 }),
      column.time('lastSeenAt', ({ lastSeenAt }) => lastSeenAt, { from: 'wide' }),
      column.count('openSessions', ({ openSessions }) => openSessions, { card: 'none', from: 'widest' }),
    ]
  },
})

/** Who works with the console, for who may look after them. */
export const StaffList = () => <ListPage definition={staff} />
