'use client'

import type { AlertMessageRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import type { ParamsOf } from '../../kit/list/address.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { ListTable, type TableDefinition, useListPage } from '../../kit/list/list-table.tsx'
import { useListState } from '../../kit/list/use-list-state.ts'
import { Badge, type Look } from '../../ui/badge.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import layout from '../../ui/layout.module.css'
import { useAlertKind } from '../alerts/open-alerts.tsx'
import styles from './alert-channels.module.css'

type MessageParams = ParamsOf<typeof addresses.alertMessages>

const looks: Record<AlertMessageRow['state'], Look> = {
  waiting: { tone: 'wait' },
  sent: { tone: 'ok' },
  failed: { tone: 'bad' },
}

function Content({ message: { kind, alertKind, subject, alerts } }: { message: AlertMessageRow }) {
  const t = useTranslations('alertChannels')
  const kindOf = useAlertKind()
  // What tells of no alert, and is none of the channel's own tests: a request, or a week.
  const isOther = alerts === 0 && (kind === 'opened' || kind === 'over')
  return (
    <span className={layout['lines']}>
      <strong>{alertKind ? kindOf(alertKind) : t(`messageKinds.${isOther ? 'other' : kind}`)}</strong>
      {alertKind && (
        <span className={layout['note']}>
          {t(`messageKinds.${kind}`)} · {subject}
        </span>
      )}
      {kind === 'bundle' && <span className={layout['note']}>{t('alertsTold', { alerts })}</span>}
    </span>
  )
}

function useMessageColumns(): Column<AlertMessageRow>[] {
  const t = useTranslations('alertChannels')
  const column = columnsOf(t)
  const channel = ({ channelKind, host }: AlertMessageRow) => (
    <span className={styles['stack']}>
      {t(`kinds.${channelKind}`)}
      <span className={layout['note']}>{host}</span>
    </span>
  )
  const state = ({ state, error }: AlertMessageRow) => (
    <span className={styles['stack']}>
      <Badge {...looks[state]}>{t(`messageStates.${state}`)}</Badge>
      {error && <span className={layout['note']}>{error}</span>}
    </span>
  )
  return [
    column.cell('content', (message) => <Content message={message} />, { card: 'head', skeleton: 168 }),
    column.cell('channel', channel, { skeleton: 120 }),
    column.cell('state', state),
    column.time('at', ({ createdAt }) => createdAt, { relative: true }),
  ]
}

/** How often one who waits for a message learns what became of it. */
export const WATCH_MS = 5_000

/** What was sent, newest first. */
const messages: TableDefinition<MessageParams, AlertMessageRow> = {
  name: 'alert-messages',
  useCaption: () => useTranslations('alertChannels')('messages'),
  useRows(params) {
    const query = useTRPC().alertChannel.messages.queryOptions(addresses.alertMessages.queryOf(params))
    return useListPage({ ...query, refetchInterval: WATCH_MS })
  },
  rowKey: ({ id }) => id,
  rowHref: () => null,
  useColumns: useMessageColumns,
  Empty() {
    const t = useTranslations('alertChannels')
    return <BlankSlate icon="inbox" title={t('noMessagesTitle')} hint={t('noMessagesHint')} />
  },
}

export const MessageTable = () => <ListTable table={messages} list={useListState(addresses.alertMessages)} />
