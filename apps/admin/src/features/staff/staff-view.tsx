'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useMemo, useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { useStaffColumns } from './staff-columns.tsx'
import { type StaffListParams, staffListParsers, staffListQueryOf } from './staff-list-params.ts'

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

type Turn = (changes: Partial<StaffListParams>) => void

function StaffTabs({ params, change }: { params: StaffListParams; change: Turn }) {
  const t = useTranslations('staff')
  const tabs = ([null, 'enabled', 'disabled'] as const).map((state) => ({
    key: state ?? 'all',
    label: t(`tabs.${state ?? 'all'}`),
    href: paths.staff({ ...params, state, cursor: null }),
    current: params.state === state,
    choose: () => change({ state, cursor: null }),
  }))
  return <LinkTabs label={t('stateFilter')} tabs={tabs} />
}

function StaffTable({ params, change }: { params: StaffListParams; change: Turn }) {
  const t = useTranslations('staff')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.staff.list.queryOptions(staffListQueryOf(params)),
    placeholderData: keepPreviousData,
  })
  const { previousCursor, nextCursor } = page.data ?? { previousCursor: null, nextCursor: null }
  const turns = useMemo(
    () => ({
      previous: previousCursor === null ? null : () => change({ cursor: previousCursor }),
      next: nextCursor === null ? null : () => change({ cursor: nextCursor }),
    }),
    [previousCursor, nextCursor, change],
  )
  return (
    <DataTable
      caption={t('caption')}
      columns={useStaffColumns()}
      rows={page.data?.items}
      rowKey={(row) => row.id}
      rowHref={paths.staffMember}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={<BlankSlate icon="search" title={t('emptyTitle')} hint={t('emptyHint')} />}
      turns={turns}
    />
  )
}

/** Who works with the console. */
export function StaffView() {
  const t = useTranslations('staff')
  const [params, setParams] = useQueryStates(staffListParsers, { history: 'push' })
  const change = useMemo(() => (changes: Partial<StaffListParams>) => void setParams(changes), [setParams])
  return (
    <>
      <PageHeader title={t('title')} actions={<InviteButton />} />
      <SavedViews />
      <Panel>
        <StaffTabs params={params} change={change} />
        <StaffTable params={params} change={change} />
      </Panel>
    </>
  )
}
