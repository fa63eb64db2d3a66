import type { UserDetail } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Panel } from '../../../ui/panel.tsx'

export function UserSubscription({ user: { id, remainingDays, subscription } }: { user: UserDetail }) {
  const t = useTranslations('users')
  const { expiresAt } = subscription
  return (
    <Panel
      title={t('subscription')}
      aside={<Link href={paths.subscription({ userId: id })}>{t('openSubscription')}</Link>}
    >
      <DescriptionList
        items={[
          { key: 'days', term: t('columns.daysLeft'), value: t('days', { days: remainingDays }) },
          { key: 'until', term: t('until'), value: expiresAt && <DateTime time={expiresAt} /> },
        ]}
      />
    </Panel>
  )
}
