'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { type ListState, useListState } from '../lists/use-list-state.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { SignInFailures } from './sign-in-failures.tsx'
import { useStaffColumns } from './staff-columns.tsx'
import {
  STAFF_PER_PAGE,
  type StaffListParams,
  staffListParsers,
  staffListQueryOf,
} from './staff-list-params.ts'

const InviteDialog = dynamic(() => import('./invite-dialog.tsx').then((module) => module.InviteDialog), {
  ssr: false,
})

function InviteButton() {
  const t = useTranslations('staff')
  const forbidden = useForbidden('operator.manage')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="plus" />}
        busy={false}
        hint={t('inviteHint')}
        disabledReason={forbidden && t('forbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('invite')}
      </ActionButton>
      {open && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function StaffTabs({ list: { params, change } }: { list: ListState<StaffListParams> }) {
  const t = useTranslations('staff')
  const tabs = ([null, 'enabled', 'disabled'] as const).map((state) => ({
    key: state ?? 'all',
    label: t(`tabs.${state ?? 'all'}`),
    href: paths.staff({ ...params, state, cursor: null }),
    current: params.state === state,
    choose: () => change({ state }),
  }))
  return <LinkTabs label={t('stateFilter')} tabs={tabs} />
}

function StaffTable({ params }: { params: StaffListParams }) {
  const t = useTranslations('staff')
  const trpc = useTRPC()
  return (
    <DataTable
      name="staff"
      usualRows={STAFF_PER_PAGE}
      caption={t('caption')}
      columns={useStaffColumns()}
      rowKey={(row) => row.id}
      rowHref={paths.staffMember}
      empty={<BlankSlate icon="search" title={t('emptyTitle')} hint={t('emptyHint')} />}
      {...useListPage(trpc.staff.list.queryOptions(staffListQueryOf(params)))}
    />
  )
}

function Staff() {
  const list = useListState(staffListParsers)
  return (
    <>
      <SavedViews />
      <Panel>
        <StaffTabs list={list} />
        <StaffTable params={list.params} />
      </Panel>
      <SignInFailures />
    </>
  )
}

/** Who works with the console, for who may look after them. */
export function StaffView() {
  const t = useTranslations('staff')
  const forbidden = useForbidden('operator.manage')
  return (
    <>
      <PageHeader title={t('title')} actions={<InviteButton />} />
      {forbidden ? (
        <Panel>
          <BlankSlate icon="key" title={t('forbiddenTitle')} hint={t('forbidden', forbidden)} />
        </Panel>
      ) : (
        <Staff />
      )}
    </>
  )
}
