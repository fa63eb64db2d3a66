import type { UserDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import page from '../../../ui/detail-page.module.css'
import { PageHeader } from '../../../ui/page-header.tsx'
import { UserBadge } from '../user-badge.tsx'
import { DisableUser } from './user-acts.tsx'

export function UserHead({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  return (
    <PageHeader
      before={<BackLink href={paths.users()}>{t('back')}</BackLink>}
      title={
        <span className={page['title']}>
          {user.nickname ?? t('nameless')}
          <span className={page['number']}>{user.id}</span>
        </span>
      }
      aside={
        <span className={page['state']}>
          <CopyButton text={user.id} name={t('userId')} />
          <UserBadge state={user.state} />
        </span>
      }
      actions={<DisableUser user={user} />}
    />
  )
}
