'use client'

import type { UserDetail, UserSession } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { useClock } from '../../../ui/clock.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { EndSessions } from './user-acts.tsx'

const isOpen = ({ revokedAt, expiresAt }: UserSession, now: Date) => revokedAt === null && expiresAt > now

function SessionState({ session, open }: { session: UserSession; open: boolean }) {
  const t = useTranslations('users')
  if (open) return <Badge tone="ok">{t('sessionOpen')}</Badge>
  return <Badge tone="quiet">{t(session.revokedAt ? 'sessionEnded' : 'sessionExpired')}</Badge>
}

/** Where the user is signed in. */
export function UserSessions({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const column = columnsOf(t)
  const now = useClock()
  const anyOpen = user.sessions.some((session) => isOpen(session, now))
  const columns: Column<UserSession>[] = [
    column.time('signedInAt', ({ createdAt }) => createdAt),
    column.time('lastUsedAt', ({ lastUsedAt }) => lastUsedAt),
    column.cell('columns.state', (session) => <SessionState session={session} open={isOpen(session, now)} />),
    column.cell('act', (session) => isOpen(session, now) && <EndSessions id={user.id} session={session} />),
  ]
  return (
    <RecordsPanel
      title={t('sessions')}
      aside={anyOpen && <EndSessions id={user.id} />}
      rows={user.sessions}
      rowKey={({ id }) => id}
      empty={t('noSessions')}
      columns={columns}
    />
  )
}
