'use client'

import { eventTypes, WEBHOOK_TEST_TYPE, type WebhookDeliveryRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { developerAddresses } from '../../developer-addresses.ts'
import { developerPaths } from '../../developer-paths.ts'
import { RowAct } from '../../kit/act/row-act.tsx'
import type { ParamsOf } from '../../kit/list/address.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { ChoiceFilter, ClearFilters, FilterBar } from '../../kit/list/filters.tsx'
import { EmptyList, ListTable, type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { type ListState, useListState } from '../../kit/list/use-list-state.ts'
import type { Column } from '../../ui/data-table/column.ts'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { EmptyValue, Raw } from '../../ui/text.tsx'
import { sendAgain } from './webhook-acts.tsx'
import { WATCH_MS } from './webhook-state.ts'
import { DeliveryBadge, useEventType } from './webhook-words.tsx'

const address = developerAddresses.webhookDeliveries
type DeliveryParams = ParamsOf<typeof address>
/** What the address says, and of which endpoint. */
type ShownParams = DeliveryParams & { endpointId: string }

const useWords = () => useTranslations('webhooks.deliveries')

function useDeliveryColumns(): Column<WebhookDeliveryRow>[] {
  const t = useWords()
  const typeOf = useEventType()
  const column = columnsOf(useTranslations('webhooks.deliveries.columns'))
  const result = ({ lastStatus, lastError }: WebhookDeliveryRow) => {
    if (lastStatus !== null) return t('answered', { status: String(lastStatus) })
    return lastError ? <Raw className={layout['note']}>{lastError}</Raw> : <EmptyValue />
  }
  return [
    column.cell(
      'type',
      ({ id, type }) => <Link href={developerPaths.webhookDelivery({ id })}>{typeOf(type)}</Link>,
      {
        card: 'head',
      },
    ),
    column.id('subject', ({ subject }) => subject || null, { card: 'sub' }),
    column.cell('state', ({ state }) => <DeliveryBadge state={state} />, { card: 'headEnd' }),
    column.cell('result', result, { from: 'medium' }),
    column.count('attempts', ({ attempts }) => attempts),
    column.time('lastAttemptAt', ({ lastAttemptAt }) => lastAttemptAt, { exact: true }),
    column.time('nextAttemptAt', ({ nextAttemptAt }) => nextAttemptAt, { exact: true, from: 'wide' }),
    column.time('createdAt', ({ createdAt }) => createdAt, { from: 'widest' }),
  ]
}

/** What is sent to one endpoint, newest first. */
const deliveries: TableDefinition<ShownParams, WebhookDeliveryRow> = {
  name: 'webhook-deliveries',
  useCaption: () => useWords()('caption'),
  useRows({ endpointId: id, ...params }) {
    const query = useTRPC().webhooks.deliveries.queryOptions({ id, ...address.queryOf(params) })
    return useListPage({ ...query, refetchInterval: WATCH_MS })
  },
  rowKey: (delivery) => delivery.id,
  rowHref: developerPaths.webhookDelivery,
  useRowActs: () => (delivery) =>
    delivery.state === 'given_up' && <RowAct of={sendAgain} input={{ id: delivery.id }} />,
  useColumns: useDeliveryColumns,
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
}

function Filters({ list }: { list: ListState<DeliveryParams> }) {
  const t = useWords()
  const typeOf = useEventType()
  const states = (['waiting', 'delivered', 'given_up'] as const).map((value) => ({
    value,
    label: t(`states.${value}`),
  }))
  const types = ([...eventTypes, WEBHOOK_TEST_TYPE] as const).map((value) => ({
    value,
    label: typeOf(value),
  }))
  return (
    <FilterBar>
      <ChoiceFilter
        label={t('state')}
        unchosen={t('allStates')}
        value={list.params.state}
        options={states}
        choose={(state) => list.change({ state })}
      />
      <ChoiceFilter
        label={t('type')}
        unchosen={t('allTypes')}
        value={list.params.type}
        options={types}
        choose={(type) => list.change({ type })}
      />
      <ClearFilters list={list} label={t('clear')} />
    </FilterBar>
  )
}

/** The deliveries of one endpoint, as the address narrows them. */
export function DeliveryTable({ endpointId }: { endpointId: string }) {
  const list = useListState(address)
  return (
    <>
      <Filters list={list} />
      <ListTable table={deliveries} list={{ ...list, params: { ...list.params, endpointId } }} />
    </>
  )
}
