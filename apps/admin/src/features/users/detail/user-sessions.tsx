'use client'

import type { UserDetail, UserSession } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../../ui/badge.tsx'
import { useClock } from '../../../ui/clock.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { EndSessions } from './user-acts.tsx'

const isOpen = ({ revokedAt, expiresAt }: UserSession, now: Date) => revokedAt === null && expiresAt > now

function SessionState({ session, open }: { session: UserSession; open: boolean }) {
  const t = useTranslations('users')
  if (open)
    return (
      <Badge tone="ok" icon="checkCircle">
        {t('sessionOpen')}
      </Badge>
    )
  return (
    <Badge tone="quiet" icon="dash">
      {t(session.revokedAt ? 'sessionEnded' : 'sessionExpired')}
    </Badge>
  )
}

/** Where the user is signed in. */
export function UserSessions({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const now = useClock()
  const anyOpen = user.sessions.some((session) => isOpen(session, now))
  return (
    <Panel title={t('sessions')} {...(anyOpen && { aside: <EndSessions id={user.id} /> })}>
      <PlainTable
        caption={t('sessions')}
        rows={user.sessions}
        rowKey={({ id }) => id}
        empty={t('noSessions')}
        columns={[
          { key: 'since', title: t('signedInAt'), cell: ({ createdAt }) => <DateTime time={createdAt} /> },
          { key: 'used', title: t('lastUsedAt'), cell: ({ lastUsedAt }) => <DateTime time={lastUsedAt} /> },
          {
            key: 'state',
            title: t('columns.state'),
            cell: (session) => <SessionState session={session} open={isOpen(session, now)} />,
          },
          {
            key: 'end',
            title: t('act'),
            cell: (session) => isOpen(session, now) && <EndSessions id={user.id} session={session} />,
          },
        ]}
      />
    </Panel>
  )
}
