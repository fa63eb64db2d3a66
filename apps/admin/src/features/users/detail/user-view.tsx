'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
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
  const failureOf = useFailure()
  const query = useQuery(trpc.user.detail.queryOptions({ id }))
  const failure = failureOf(query.error)
  if (!query.data && failure)
    return (
      <Panel>
        <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
      </Panel>
    )
  if (!query.data) return <ListSkeleton title={t('title')} />
  const user = query.data
  return (
    <>
      <UserHead user={user} />
      {user.state !== 'active' && (
        <div className={styles['above']}>
          <Notice tone={user.state === 'disabled' ? 'bad' : 'info'}>{t(`notices.${user.state}`)}</Notice>
        </div>
      )}
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <UserOrders user={user} />
          <UserDevices user={user} />
          <UserSessions user={user} />
          <UserMessages user={user} />
        </div>
        <div className={styles['column']}>
          <UserIdentity user={user} />
          <UserSubscription user={user} />
        </div>
      </div>
    </>
  )
}
