'use client'

import type { RowCount, TagRow } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { DialogAct, defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { RowAct, RowDialogAct } from '../../kit/act/row-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { RowLink } from '../../kit/list/row-link.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { Link } from '../../ui/link.tsx'
import { TagChip } from './tag-chip.tsx'

const loadDialogs = () => import('./tag-dialogs.tsx')
const CreateTag = dynamic(() => loadDialogs().then((module) => module.CreateTag), { ssr: false })
const EditTag = dynamic(() => loadDialogs().then((module) => module.EditTag), { ssr: false })
const MergeTag = dynamic(() => loadDialogs().then((module) => module.MergeTag), { ssr: false })

const useWords = () => useTranslations('tagList')
const permission = 'tag.manage'

const createTag = defineDialogAct(useWords, {
  icon: 'plus',
  permission,
  words: (t) => ({ label: t('create'), hint: t('createHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (_, close) => <CreateTag onClose={close} />,
})

const editTag = defineDialogAct(useWords, {
  icon: 'edit',
  permission,
  words: (t) => ({ label: t('edit'), hint: t('editHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (tag: TagRow, close) => <EditTag tag={tag} onClose={close} />,
})

const mergeTag = defineDialogAct(useWords, {
  icon: 'sync',
  permission,
  words: (t) => ({ label: t('merge'), hint: t('mergeHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (tag: TagRow, close) => <MergeTag tag={tag} onClose={close} />,
})

const archiveTag = defineAct(useWords, {
  icon: 'inbox',
  permission,
  words: (t) => ({ label: t('archive'), hint: t('archiveHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.tag.archive.mutate,
    invalidates: ['tag'],
    done: () => t('archivedDone'),
  }),
})

const restoreTag = defineAct(useWords, {
  icon: 'back',
  permission,
  words: (t) => ({ label: t('restore'), hint: t('restoreHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.tag.restore.mutate,
    invalidates: ['tag'],
    done: () => t('restoredDone'),
  }),
})

/** Links to the orders, users and devices that have the tag, and the acts on the tag: edit, merge, archive or restore. */
function TagRowActs({ tag }: { tag: TagRow }) {
  const t = useWords()
  const { id, users, devices } = tag
  return (
    <>
      <RowLink href={paths.orders({ tag: id })} icon="receipt" label={t('openOrders')} />
      {users.count > 0 && <RowLink href={paths.users({ tag: id })} icon="users" label={t('openUsers')} />}
      {devices.count > 0 && (
        <RowLink href={paths.devices({ tag: id })} icon="device" label={t('openDevices')} />
      )}
      <RowDialogAct of={editTag} given={tag} />
      <RowDialogAct of={mergeTag} given={tag} />
      <RowAct of={tag.isArchived ? restoreTag : archiveTag} input={{ id }} />
    </>
  )
}

/** How many things have a tag, as a link to them. */
function TaggedCount({ by: { count, more }, href }: { by: RowCount; href: string }) {
  if (count === 0) return '0'
  return (
    <Link href={href} prefetch={false}>
      {more ? `${formatCount(count)}+` : formatCount(count)}
    </Link>
  )
}

const tags = defineList(addresses.tags)<TagRow>({
  name: 'tags',
  useWords,
  useRefusal() {
    const t = useWords()
    const forbidden = useForbidden(permission)
    return forbidden && { title: t('forbiddenTitle'), hint: t('forbidden', forbidden) }
  },
  Actions: () => <DialogAct of={createTag} />,
  useRows: (query) => useListPage(useTRPC().tag.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: ({ id }) => paths.orders({ tag: id }),
  useRowActs: () => (tag) => <TagRowActs tag={tag} />,
  useTabs() {
    const t = useWords()
    const tabs = ([null, 'archived'] as const).map((state) => ({
      key: state ?? 'used',
      label: t(`tabs.${state ?? 'used'}`),
      sets: { state },
    }))
    return { label: t('tabs.label'), tabs }
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} icon="tag" />,
  useColumns() {
    const column = columnsOf(useTranslations('tagList.columns'))
    return [
      column.cell('tag', (tag) => <TagChip tag={tag} />, { card: 'head' }),
      column.count('orders', ({ id, orders }) => (
        <TaggedCount by={orders} href={paths.orders({ tag: id })} />
      )),
      column.count('users', ({ id, users }) => <TaggedCount by={users} href={paths.users({ tag: id })} />),
      column.count('devices', ({ id, devices }) => (
        <TaggedCount by={devices} href={paths.devices({ tag: id })} />
      )),
      column.time('createdAt', ({ createdAt }) => createdAt),
    ]
  },
})

/** The tags there are, for who looks after them. */
export const TagList = () => <ListPage definition={tags} />
