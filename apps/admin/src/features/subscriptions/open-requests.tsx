'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RequestTable } from './request-table.tsx'
import styles from './subscriptions.module.css'

/** Days that wait for a second person; nothing where none do. */
export function OpenRequests() {
  const t = useTranslations('subscriptions')
  const trpc = useTRPC()
  const requests = useQuery(trpc.subscription.requests.queryOptions())
  if (!requests.data || requests.data.items.length === 0) return null
  const title = t('openRequests', { count: requests.data.items.length })
  return (
    <div className={styles['above']}>
      <Panel title={title}>
        <RequestTable caption={title} requests={requests.data.items} withUser />
      </Panel>
    </div>
  )
}
