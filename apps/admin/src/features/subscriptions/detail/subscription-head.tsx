'use client'

import type { SubscriptionDetail } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { DialogAct, defineDialogAct } from '../../../kit/act/define-act.tsx'
import { paths } from '../../../paths.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import page from '../../../ui/detail-page.module.css'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SubscriptionBadge } from '../subscription-badge.tsx'

const DaysDialog = dynamic(() => import('./days-dialog.tsx').then((module) => module.DaysDialog), {
  ssr: false,
})

const changeDays = defineDialogAct(() => useTranslations('subscriptions'), {
  icon: 'clock',
  permission: 'subscription.grant',
  words: (t) => ({
    label: t('change'),
    hint: t('changeHint'),
    forbidden: (who) => t('changeForbidden', who),
  }),
  dialog: ({ userId }: { userId: string }, close) => <DaysDialog userId={userId} onClose={close} />,
})

export function SubscriptionHead({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useTranslations('subscriptions')
  const { userId, isActive, remainingDays, expiresAt } = subscription
  return (
    <PageHeader
      before={<BackLink href={paths.subscriptions()}>{t('back')}</BackLink>}
      title={
        <span className={page['title']}>
          {t('remaining', { days: remainingDays })}
          <Link href={paths.user({ id: userId })} className={page['number']}>
            {userId}
          </Link>
        </span>
      }
      aside={
        <span className={page['state']}>
          <CopyButton text={userId} name={t('userId')} />
          <SubscriptionBadge isActive={isActive} remainingDays={remainingDays} expiresAt={expiresAt} />
          {expiresAt && <DateTime time={expiresAt} relative />}
        </span>
      }
      actions={<DialogAct of={changeDays} userId={userId} />}
    />
  )
}
