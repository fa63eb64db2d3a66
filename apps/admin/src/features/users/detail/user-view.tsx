'use client'

import type { RevealedUser, UserDetail, UserSession } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { Loaded } from '../../../kit/page/page-content.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime, useClock } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import page from '../../../ui/detail-page.module.css'
import { DetailHead } from '../../../ui/detail-page.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import lines from '../../../ui/lines.module.css'
import { LinesPanel } from '../../../ui/lines.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { Raw } from '../../../ui/text.tsx'
import { OpenAlerts } from '../../alerts/open-alerts.tsx'
import { NotesPanel } from '../../notes/notes-panel.tsx'
import { PinButton } from '../../palette/pin-button.tsx'
import { SubjectTags } from '../../tags/subject-tags.tsx'
import { CustomerAccess, CustomerMoneyPanel } from '../feed/customer-money.tsx'
import { FeedPanel } from '../feed/feed-panel.tsx'
import { UserBadge } from '../user-badge.tsx'
import styles from './detail.module.css'
import { DisableUser, EndSessions, RevealUser } from './user-acts.tsx'
import { UserDevices, UserMessages, UserOrders, UserSubscription } from './user-panels.tsx'
import { UserReports } from './user-reports.tsx'

/** Who the user is, masked until somebody says why they must know. */
function UserIdentity({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const zone = useTranslations('shell')('zone')
  const [revealed, setRevealed] = useState<RevealedUser | null>(null)
  const facts = [
    { key: 'nickname', term: t('nickname'), value: revealed ? revealed.nickname : user.nickname },
    {
      key: 'openid',
      term: t('openid'),
      value: revealed ? (
        <Identifier value={revealed.openid} name={t('openid')} whole />
      ) : (
        user.openid && <Raw>{user.openid}</Raw>
      ),
    },
    { key: 'createdAt', term: t('columns.createdAt'), value: <DateTime time={user.createdAt} /> },
    ...(user.disabledAt
      ? [
          { key: 'disabledAt', term: t('disabledAt'), value: <DateTime time={user.disabledAt} /> },
          { key: 'disabledReason', term: t('disabledReason'), value: user.disabledReason },
        ]
      : []),
    ...(user.erasedAt
      ? [{ key: 'erasedAt', term: t('erasedAt'), value: <DateTime time={user.erasedAt} /> }]
      : []),
  ]
  return (
    <Panel
      title={t('identity')}
      aside={
        <span className={page['aside']}>
          <span className={page['zone']}>{zone}</span>
          {!user.erasedAt && !revealed && <RevealUser id={user.id} show={setRevealed} />}
        </span>
      }
    >
      <DescriptionList items={facts} wide />
    </Panel>
  )
}

const isOpen = ({ revokedAt, expiresAt }: UserSession, now: Date) => revokedAt === null && expiresAt > now

function SessionState({ session, open }: { session: UserSession; open: boolean }) {
  const t = useTranslations('users')
  if (open) return <Badge tone="ok">{t('sessionOpen')}</Badge>
  return <Badge tone="quiet">{t(session.revokedAt ? 'sessionEnded' : 'sessionExpired')}</Badge>
}

/** Where the user is signed in. */
function UserSessions({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const now = useClock()
  const anyOpen = user.sessions.some((session) => isOpen(session, now))
  return (
    <LinesPanel
      title={t('sessions')}
      aside={anyOpen && <EndSessions id={user.id} />}
      rows={user.sessions}
      empty={t('noSessions')}
    >
      {(session) => (
        <li key={session.id}>
          <span className={lines['side']}>
            <SessionState session={session} open={isOpen(session, now)} />
            <span className={page['zone']}>
              {t('signedInAt')} <DateTime time={session.createdAt} />
            </span>
            <span className={page['zone']}>
              {t('lastUsedAt')} <DateTime time={session.lastUsedAt} />
            </span>
          </span>
          {isOpen(session, now) && <EndSessions id={user.id} session={session} />}
        </li>
      )}
    </LinesPanel>
  )
}

function UserHead({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  return (
    <DetailHead
      back={{ href: paths.users(), label: t('back') }}
      title={user.nickname ?? t('nameless')}
      id={{ value: user.id, name: t('userId') }}
      pin={<PinButton />}
      state={<UserBadge state={user.state} />}
      tags={<SubjectTags subject={{ kind: 'user', id: user.id }} />}
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
          <OpenAlerts about={{ userId: user.id }} />
          {user.state !== 'active' && (
            <div className={styles['above']}>
              <Notice tone={user.state === 'disabled' ? 'bad' : 'info'}>{t(`notices.${user.state}`)}</Notice>
            </div>
          )}
          <div className={page['columns']}>
            <div className={page['column']}>
              <CustomerMoneyPanel id={user.id} />
              <CustomerAccess user={user} />
              <FeedPanel id={user.id} />
              <UserOrders user={user} />
            </div>
            <div className={page['column']}>
              <UserIdentity user={user} />
              <UserSubscription user={user} />
              <NotesPanel subject={{ kind: 'user', id: user.id }} />
              <UserDevices user={user} />
              <UserReports user={user} />
              <UserSessions user={user} />
              <UserMessages user={user} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}
