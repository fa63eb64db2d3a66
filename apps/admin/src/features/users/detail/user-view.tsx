'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { Loaded } from '../../../kit/page/loaded.tsx'
import page from '../../../ui/detail-page.module.css'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { Notice } from '../../../ui/notice.tsx'
import styles from './detail.module.css'
import { UserHead } from './user-head.tsx'
import { UserIdentity } from './user-identity.tsx'
import { UserMessages } from './user-messages.tsx'
import { UserDevices, UserOrders, UserSubscription } from './user-parts.tsx'
import { UserSessions } from './user-sessions.tsx'

/** Everything the console knows of one person. */
export function UserView({ id }: { id: string }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const query = useQuery(trpc.user.detail.queryOptions({ id }))
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
