'use client'

import type { SessionView } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useAct } from '../../kit/act/use-act.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import layout from '../../ui/layout.module.css'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'

/** The browser and system a user agent names, as far as one can tell. */
function deviceOf(userAgent: string): string {
  const browser = /(Edg|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1]?.replace('Edg', 'Edge')
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(userAgent)?.[1]
  return [browser, system?.replace('Mac OS X', 'macOS')].filter(Boolean).join(' · ') || userAgent.slice(0, 40)
}

type SessionTableProps = {
  sessions: readonly SessionView[]
  /** The session that is being ended just now. */
  busyId: string | null
  revoke: (sessionId: string) => void
}

function Device({ session: { userAgent, address, isCurrent } }: { session: SessionView }) {
  const t = useTranslations('session.sessions')
  return (
    <span className={layout['lines']}>
      <span>
        <span title={userAgent} data-raw="">
          {deviceOf(userAgent)}
        </span>{' '}
        {isCurrent && <Badge tone="ok">{t('current')}</Badge>}
      </span>
      <span className={layout['note']}>
        {t('address')} {address}
      </span>
    </span>
  )
}

function Seen({ session: { createdAt, lastSeenAt } }: { session: SessionView }) {
  const t = useTranslations('session.sessions')
  return (
    <span className={layout['lines']}>
      <DateTime time={lastSeenAt} relative />
      <span className={layout['note']}>
        {t('created')} <DateTime time={createdAt} />
      </span>
    </span>
  )
}

function SessionTable({ sessions, busyId, revoke }: SessionTableProps) {
  const t = useTranslations('session.sessions')
  const column = columnsOf(t)
  const end = ({ id, address, isCurrent }: SessionView) =>
    !isCurrent && (
      <Button
        size="small"
        loading={busyId === id}
        aria-label={t('revokeOf', { address })}
        onClick={() => revoke(id)}
      >
        {t('revoke')}
      </Button>
    )
  const columns: Column<SessionView>[] = [
    column.cell('device', (session) => <Device session={session} />),
    column.cell('seen', (session) => <Seen session={session} />),
    column.cell('act', end, { align: 'end' }),
  ]
  return (
    <PlainTable
      caption={t('title')}
      rows={sessions}
      rowKey={({ id }) => id}
      empty={t('empty')}
      columns={columns}
    />
  )
}

type SessionsPanelProps = {
  sessions: readonly SessionView[]
  /** Whose they are: one's own as an operator, or a member's of the staff. */
  noun: 'operator' | 'staff'
}

/** Open sessions, each with the way to end it. */
export function SessionsPanel({ sessions, noun }: SessionsPanelProps) {
  const t = useTranslations('session.sessions')
  const revoke = useAct({
    call: (api) => api[noun].revokeSession.mutate,
    invalidates: [noun],
    refreshesOnFailure: [noun],
    done: () => t('revoked'),
  })
  return (
    <Panel title={t('title')}>
      <SessionTable
        sessions={sessions}
        busyId={revoke.busyWith?.sessionId ?? null}
        revoke={(sessionId) => revoke.press({ sessionId })}
      />
    </Panel>
  )
}
