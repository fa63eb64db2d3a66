'use client'

import type { AlertRow, ListedAlert } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import type { AlertParams } from '../../desk-addresses.ts'
import { isId } from '../../format.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { type Bulk, type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { BulkButton, useBulkAct } from '../../kit/list/use-bulk-act.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { Identifier, Shortened } from '../../ui/identifier.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'
import { AlertRowAct } from './alert-acts.tsx'
import styles from './alerts.module.css'
import { useAlertKind, useResolution } from './open-alerts.tsx'
import { subjectKindOf } from './subject-of-alert.ts'

const WordDialog = dynamic(() => import('./alert-dialogs.tsx').then((module) => module.WordDialog), {
  ssr: false,
})

function BulkActs({ take, resolve }: { take: () => void; resolve: () => void }) {
  const t = useTranslations('alerts')
  const forbidden = useForbidden('alert.resolve')
  const disabledReason = forbidden && t('forbidden', forbidden)
  return (
    <>
      <BulkButton icon="inbox" hint={t('bulkTakeLead')} disabledReason={disabledReason} onPress={take}>
        {t('take')}
      </BulkButton>
      <BulkButton icon="check" hint={t('bulkResolveLead')} disabledReason={disabledReason} onPress={resolve}>
        {t('resolve')}
      </BulkButton>
    </>
  )
}

/** Takes or resolves alerts one after the other; what they are together is read anew when the dialog is closed. */
function useAlertRuns() {
  const t = useTranslations('alerts')
  const changes = useTRPC().alert.pathFilter()
  const kindOf = useAlertKind()
  const take = useAct({ call: (api) => api.alert.take.mutate, invalidates: [] })
  const resolve = useAct({ call: (api) => api.alert.resolve.mutate, invalidates: [] })
  const taking = useBulkAct({
    title: (count) => t('bulkTakeTitle', { count }),
    lead: t('bulkTakeLead'),
    changes,
  })
  const resolving = useBulkAct({
    title: (count) => t('bulkResolveTitle', { count }),
    lead: t('bulkResolveLead'),
    changes,
  })
  const itemsOf = (alerts: readonly AlertRow[]) =>
    alerts.map(({ id, kind, subject }) => ({ key: id, label: `${kindOf(kind)} · ${subject}` }))
  return {
    takeAll: (alerts: readonly AlertRow[]) =>
      void taking.start(itemsOf(alerts), async (id) => {
        await take.step({ id })
        return t('taken')
      }),
    resolveAll: (alerts: readonly AlertRow[], resolution: string) =>
      void resolving.start(itemsOf(alerts), async (id) => {
        await resolve.step({ id, resolution })
        return t('resolved')
      }),
    dialogs: (
      <>
        {taking.dialog}
        {resolving.dialog}
      </>
    ),
  }
}

/** What may be done with several alerts at once, and the dialogs that belong to it. */
function useAlertBulk(): Bulk<AlertRow> {
  const t = useTranslations('alerts')
  const { takeAll, resolveAll, dialogs } = useAlertRuns()
  const [wanted, setWanted] = useState<readonly AlertRow[] | null>(null)
  const resolveWanted = ({ resolution }: { resolution: string }) => {
    setWanted(null)
    if (wanted) resolveAll(wanted, resolution)
  }
  return {
    bulk: (alerts) => <BulkActs take={() => takeAll(alerts)} resolve={() => setWanted(alerts)} />,
    dialog: (
      <>
        {wanted && (
          <WordDialog
            title={t('bulkResolveTitle', { count: wanted.length })}
            lead={t('bulkResolveLead')}
            act={{ run: resolveWanted, busy: false, failure: null }}
            onClose={() => setWanted(null)}
          />
        )}
        {dialogs}
      </>
    ),
  }
}

/** What it is about, as a link where the console can show it; with its order where the subject is something else. */
function Subject({ alert }: { alert: ListedAlert }) {
  const t = useTranslations('alerts')
  const { subject, outTradeNo, outRefundNo, isSameOrder } = alert
  const kind = subjectKindOf(alert)
  const name = t('subject')
  return (
    <span className={layout['lines']}>
      {kind === 'other' && (isId(subject) ? <Shortened value={subject} /> : <span>{subject}</span>)}
      {kind === 'refund' && outRefundNo && (
        <Identifier value={outRefundNo} name={name} href={paths.refund({ outRefundNo })} />
      )}
      {kind !== 'refund' && outTradeNo && (
        <Identifier value={outTradeNo} name={name} href={paths.order({ outTradeNo })} />
      )}
      {isSameOrder && <span className={layout['note']}>{t('sameOrder')}</span>}
    </span>
  )
}

function Standing({ alert }: { alert: AlertRow }) {
  const t = useTranslations('alerts')
  const resolutionOf = useResolution()
  if (alert.resolvedAt === null)
    return <span className={layout['note']}>{alert.ownerEmail ?? t('nobody')}</span>
  return (
    <span className={layout['lines']}>
      {resolutionOf(alert.resolution)}
      <span className={layout['note']}>{alert.resolvedByEmail}</span>
    </span>
  )
}

/** What happened, and how many times. */
function Kind({ alert, kind }: { alert: AlertRow; kind: string }) {
  const t = useTranslations('alerts')
  return (
    <span className={layout['lines']}>
      <Link className={styles['kind']} href={paths.alert(alert)} prefetch={false}>
        {kind}
      </Link>
      <span className={layout['note']}>{t('times', { times: alert.times })}</span>
    </span>
  )
}

function useAlertColumns(open: boolean): Column<ListedAlert>[] {
  const column = columnsOf(useTranslations('alerts'))
  const customerPlace = useCustomerPlace()
  const kindOf = useAlertKind()
  const acts = column.cell<ListedAlert>('acts', (alert) => (
    <AlertRowAct alert={alert} kind={kindOf(alert.kind)} />
  ))
  return [
    column.cell('kind', (alert) => <Kind alert={alert} kind={kindOf(alert.kind)} />, {
      card: 'head',
      skeleton: 132,
    }),
    column.cell('subject', (alert) => <Subject alert={alert} />, { skeleton: 132 }),
    column.person('user', ({ customer }) => customer, { ...customerPlace, from: 'wide' }),
    column.time('openedAt', ({ openedAt }) => openedAt, { relative: true }),
    column.cell(open ? 'owner' : 'resolution', (alert) => <Standing alert={alert} />, {
      key: 'standing',
      skeleton: 108,
      from: 'medium',
    }),
    ...(open ? [acts] : []),
  ]
}

const table = {
  useRows: (params: AlertParams) =>
    useListPage(useTRPC().alert.list.queryOptions(addresses.alerts.queryOf(params))),
  rowKey: ({ id }: ListedAlert) => id,
  rowHref: paths.alert,
  Empty() {
    const t = useTranslations('alerts')
    return <BlankSlate icon="checkCircle" title={t('alertsEmptyTitle')} hint={t('alertsEmptyHint')} />
  },
}

/** What somebody must look at, oldest first. */
export const openAlerts: TableDefinition<AlertParams, ListedAlert> = {
  ...table,
  name: 'alerts',
  useCaption: () => useTranslations('alerts')('alertsCaption'),
  useColumns: () => useAlertColumns(true),
  useBulk: useAlertBulk,
}

/** How it ended. */
export const resolvedAlerts: TableDefinition<AlertParams, ListedAlert> = {
  ...table,
  name: 'resolved',
  useCaption: () => useTranslations('alerts')('resolvedCaption'),
  useColumns: () => useAlertColumns(false),
}
