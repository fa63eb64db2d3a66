'use client'

import { type Difference, formatFen } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useMessages, useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { type ParamsOf, pageOf } from '../../kit/list/address.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { Identifier } from '../../ui/identifier.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'

const ResolveDialog = dynamic(
  () => import('./reconciliation-dialogs.tsx').then((module) => module.ResolveDialog),
  { ssr: false },
)

type DifferenceProps = { difference: Difference }

const useWords = () => useTranslations('reconciliation')

const takeDifference = defineAct(useWords, {
  icon: 'inbox',
  permission: 'reconciliation.resolve',
  words: (t) => ({ label: t('take'), hint: t('takeHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.reconciliation.take.mutate,
    invalidates: ['reconciliation', 'inbox', 'alert'],
    done: () => t('taken'),
  }),
})

const resolveDifference = defineDialogAct(useWords, {
  icon: 'check',
  permission: 'reconciliation.resolve',
  words: (t) => ({ label: t('resolve'), hint: t('resolveHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ difference }: DifferenceProps, close) => (
    <ResolveDialog difference={difference} onClose={close} />
  ),
})

/** Take it, or say how it ended. */
export function DifferenceActs({ difference, isRow = false }: DifferenceProps & { isRow?: boolean }) {
  return (
    <span className={layout['acts']}>
      <DirectAct of={takeDifference} quiet input={{ id: difference.id }} />
      <DialogAct of={resolveDifference} quiet={isRow} difference={difference} />
    </span>
  )
}

type DeskParams = ParamsOf<typeof addresses.reconciliation>

const amountIn = (side: Difference['ours']): number | null => {
  const fen = side?.['amount_fen'] ?? side?.['settled_fen'] ?? side?.['taken_fen']
  return typeof fen === 'number' ? fen : null
}

type Words = Readonly<Record<string, string>>

function useOurWords(): Words {
  const { orders, refunds } = useMessages()
  return { ...refunds.statuses, ...orders.statuses }
}

/** A bill's words for payments, ours for its refunds, and what virtual payment answers when it is asked. */
function useTheirWords(): Words {
  const { refunds, reconciliation } = useMessages()
  return { ...refunds.statuses, ...reconciliation.tradeStates, ...reconciliation.attemptAnswers }
}

/** What one side says about it: its sum and its word for the state; a word newer than this console stays as it is. */
function Side({ side, words }: { side: Difference['ours']; words: Words }) {
  if (!side) return <EmptyValue />
  const [fen, status] = [amountIn(side), side['status']]
  return (
    <span className={`${layout['lines']} ${layout['start']}`}>
      {fen !== null && formatFen(fen)}
      {typeof status === 'string' && <span className={layout['note']}>{words[status] ?? status}</span>}
    </span>
  )
}

export function About({ difference }: DifferenceProps) {
  const t = useTranslations('reconciliation')
  const channels = useTranslations('orders.channels')
  const { channel, outTradeNo, outRefundNo, transactionId } = difference
  return (
    <span className={`${layout['lines']} ${layout['start']}`}>
      {outTradeNo && (
        <Identifier value={outTradeNo} name={t('outTradeNo')} href={paths.order({ outTradeNo })} />
      )}
      {outRefundNo && <Identifier value={outRefundNo} name={t('outRefundNo')} />}
      {transactionId && <Identifier value={transactionId} name={t('transactionId')} />}
      <span className={layout['note']}>{channels(channel)}</span>
    </span>
  )
}

/** What the two sides say about it. */
export function useSides({ ours, theirs }: Pick<Difference, 'ours' | 'theirs'>) {
  const [ourWords, theirWords] = [useOurWords(), useTheirWords()]
  return {
    ours: <Side side={ours} words={ourWords} />,
    theirs: <Side side={theirs} words={theirWords} />,
  }
}

/** A resolution of the system as words; what a person wrote is shown as it is. */
export function useResolution(): (resolution: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().reconciliation.resolutions
  return (resolution) => words[resolution] ?? resolution
}

function State({ difference }: { difference: Difference }) {
  const t = useTranslations('reconciliation')
  const wordFor = useResolution()
  const { state, resolution, resolvedByEmail, ownerEmail, suggestedAction, adjustment } = difference
  return (
    <span className={`${layout['lines']} ${layout['start']}`}>
      <Badge tone={state === 'open' ? 'wait' : 'ok'}>{t(`differenceStates.${state}`)}</Badge>
      {adjustment && <span className={layout['note']}>{t('adjustment')}</span>}
      <span className={layout['note']}>
        {state === 'open' ? t(`actions.${suggestedAction}`) : resolution && wordFor(resolution)}
      </span>
      {state === 'open' && ownerEmail && (
        <span className={layout['note']}>{t('ownedBy', { name: ownerEmail })}</span>
      )}
      {resolvedByEmail && <span className={layout['note']}>{resolvedByEmail}</span>}
    </span>
  )
}

/** Where no work item stands. */
function NoDifferences() {
  const t = useTranslations('reconciliation')
  return <BlankSlate icon="checkCircle" title={t('noDifferencesTitle')} hint={t('noDifferencesHint')} />
}

function Kind({ difference }: DifferenceProps) {
  const t = useWords()
  return (
    <Link href={paths.difference(difference)} prefetch={false}>
      {t(`kinds.${difference.kind}`)}
    </Link>
  )
}

/** What a difference says, and what may be done with it. */
export function useDifferenceColumns(): Column<Difference>[] {
  const t = useTranslations('reconciliation')
  const column = columnsOf(t)
  const customerPlace = useCustomerPlace()
  const [ourWords, theirWords] = [useOurWords(), useTheirWords()]
  return [
    column.cell('kind', (difference) => <Kind difference={difference} />, { card: 'head' }),
    column.cell('about', (difference) => <About difference={difference} />, { skeleton: 132 }),
    column.person('user', ({ customer }) => customer, { ...customerPlace, from: 'wide' }),
    column.cell('ours', ({ ours }) => <Side side={ours} words={ourWords} />, { align: 'end' }),
    column.cell('theirs', ({ theirs }) => <Side side={theirs} words={theirWords} />, { align: 'end' }),
    column.cell('state', (difference) => <State difference={difference} />, { card: 'sub', skeleton: 96 }),
    column.time('foundAt', ({ foundAt }) => foundAt, { from: 'vast', relative: true }),
    column.cell(
      'acts',
      (difference) =>
        difference.state === 'open' ? <DifferenceActs difference={difference} isRow /> : <EmptyValue />,
      { skeleton: 96 },
    ),
  ]
}

/** Work items of all days and of one day look alike, but that those of one day do not say which. */
const differences = {
  name: 'differences',
  useCaption: () => useTranslations('reconciliation')('differences'),
  rowKey: ({ id }: Difference) => id,
  rowHref: paths.difference,
  Empty: NoDifferences,
}

/** The work items of one day, oldest first. */
export const differencesOf = (date: string): TableDefinition<Parameters<typeof pageOf>[0], Difference> => ({
  ...differences,
  useRows: (place) =>
    useListPage(useTRPC().reconciliation.differences.queryOptions({ date, ...pageOf(place) })),
  useColumns: useDifferenceColumns,
})

/** Work items of all days, oldest first. */
export const allDifferences: TableDefinition<DeskParams, Difference> = {
  ...differences,
  useRows: (params) =>
    useListPage(useTRPC().reconciliation.differences.queryOptions(addresses.reconciliation.queryOf(params))),
  useColumns() {
    const column = columnsOf(useTranslations('reconciliation'))
    const [kind, ...rest] = useDifferenceColumns()
    const date = column.cell<Difference>(
      'date',
      (difference) => <Link href={paths.reconciledDay(difference)}>{difference.date}</Link>,
      { card: 'subEnd', skeleton: 84, from: 'medium' },
    )
    return kind ? [kind, date, ...rest] : rest
  },
}
