'use client'

import type { UserDetail, UserSession } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Loaded } from '../../../kit/page/loaded.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { useClock } from '../../../ui/clock.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import { DetailHead, NumberedTitle } from '../../../ui/detail-head.tsx'
import page from '../../../ui/detail-page.module.css'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { UserBadge } from '../user-badge.tsx'
import styles from './detail.module.css'
import { DisableUser, EndSessions } from './user-acts.tsx'
import { UserIdentity } from './user-identity.tsx'
import { UserMessages } from './user-messages.tsx'
import { UserDevices, UserOrders, UserSubscription } from './user-parts.tsx'

const isOpen = ({ revokedAt, expiresAt }: UserSession, now: Date) => revokedAt === null && expiresAt > now

function SessionState({ session, open }: { session: UserSession; open: boolean }) {
  const t = useTranslations('users')
  if (open) return <Badge tone="ok">{t('sessionOpen')}</Badge>
  return <Badge tone="quiet">{t(session.revokedAt ? 'sessionEnded' : 'sessionExpired')}</Badge>
}

/** Where the user is signed in. */
function UserSessions({ user }: { user: UserDetail }) {
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

function UserHead({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  return (
    <DetailHead
      back={{ href: paths.users(), label: t('back') }}
      title={<NumberedTitle number={user.id}>{user.nickname ?? t('nameless')}</NumberedTitle>}
      id={{ value: user.id, name: t('userId') }}
      state={<UserBadge state={user.state} />}
      actions={<DisableUser user={user} />}
    />
  )
}

/** Everything the console knows of one person. */
export function UserView({ id }: { id: string }) {
  const t = useTranslations('users')
  const query = useQuery(useTRPC().user.detail.queryOptions({ id }))
  return (
    <Loaded query={query} skeleton={<ListSkeleton title={t('title')} />}>
      {(user) => (
        <>
          <UserHead user={user} />
          {user.state !== 'active' && (
            <div className={styles['above']}>
              <Notice tone={user.state === 'disabled' ? 'bad' : 'info'}>{t(`notices.${user.state}`)}</Notice>
            </div>
          )}
          <div className={page['columns']}>
            <div className={page['column']}>
              <UserOrders user={user} />
              <UserDevices user={user} />
              <UserSessions user={user} />
              <UserMessages user={user} />
            </div>
            <div className={page['column']}>
              <UserIdentity user={user} />
              <UserSubscription user={user} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}
