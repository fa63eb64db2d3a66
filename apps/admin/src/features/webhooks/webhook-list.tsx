'use client'

import type { WebhookEndpointRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { developerAddresses } from '../../developer-addresses.ts'
import { developerPaths } from '../../developer-paths.ts'
import { DialogAct } from '../../kit/act/define-act.tsx'
import { RowAct } from '../../kit/act/row-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { Link } from '../../ui/link.tsx'
import { createWebhook, permission, sendTest } from './webhook-acts.tsx'
import { isOn } from './webhook-state.ts'
import { EndpointBadge, TypeWords } from './webhook-words.tsx'

const useWords = () => useTranslations('webhooks')

const webhooks = defineList(developerAddresses.webhooks)<WebhookEndpointRow>({
  name: 'webhooks',
  useWords,
  useRefusal() {
    const t = useWords()
    const forbidden = useForbidden(permission)
    return forbidden && { title: t('forbiddenTitle'), hint: t('forbidden', forbidden) }
  },
  useSum: () => useWords()('lead'),
  Actions: () => (
    <>
      <Link ahead href={paths.developers()}>
        {useWords()('toKeys')}
      </Link>
      <DialogAct of={createWebhook} />
    </>
  ),
  useRows: (query) => useListPage(useTRPC().webhooks.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  rowHref: developerPaths.webhook,
  useRowActs: () => (endpoint) => isOn(endpoint) && <RowAct of={sendTest} input={{ id: endpoint.id }} />,
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} icon="globe" />,
  useColumns() {
    const column = columnsOf(useTranslations('webhooks.columns'))
    return [
      column.cell(
        'description',
        ({ id, description }) => <Link href={developerPaths.webhook({ id })}>{description}</Link>,
        {
          card: 'head',
        },
      ),
      column.text('url', ({ url }) => new URL(url).host, { card: 'sub' }),
      column.cell('state', ({ state }) => <EndpointBadge state={state} />, { card: 'headEnd' }),
      column.cell('types', ({ types }) => <TypeWords types={types} />, { from: 'medium' }),
      column.count('waiting', ({ waiting }) => waiting),
      column.time('lastSuccessAt', ({ lastSuccessAt }) => lastSuccessAt, { relative: true }),
      column.text('createdBy', ({ createdBy }) => createdBy, { from: 'widest' }),
      column.time('createdAt', ({ createdAt }) => createdAt, { from: 'widest' }),
    ]
  },
})

/** Where other systems are told what happens, for who looks after them. */
export const WebhookList = () => <ListPage definition={webhooks} />
