'use client'

import type { SubscriptionDetail } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SubscriptionBadge } from '../subscription-badge.tsx'
import styles from './detail.module.css'

const DaysDialog = dynamic(() => import('./days-dialog.tsx').then((module) => module.DaysDialog), {
  ssr: false,
})

function ChangeDays({ userId }: { userId: string }) {
  const t = useTranslations('subscriptions')
  const forbidden = useForbidden('subscription.grant')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="clock" />}
        busy={false}
        hint={t('changeHint')}
        disabledReason={forbidden && t('changeForbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('change')}
      </ActionButton>
      {open && <DaysDialog userId={userId} onClose={() => setOpen(false)} />}
    </>
  )
}

export function SubscriptionHead({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useTranslations('subscriptions')
  const { userId, isActive, remainingDays, expiresAt } = subscription
  return (
    <PageHeader
      before={<BackLink href={paths.subscriptions()}>{t('back')}</BackLink>}
      title={
        <span className={styles['title']}>
          {t('remaining', { days: remainingDays })}
          <Link href={paths.user({ id: userId })} className={styles['number']}>
            {userId}
          </Link>
        </span>
      }
      aside={
        <span className={styles['state']}>
          <CopyButton text={userId} name={t('userId')} />
          <SubscriptionBadge isActive={isActive} remainingDays={remainingDays} expiresAt={expiresAt} />
          {expiresAt && <DateTime time={expiresAt} relative />}
        </span>
      }
      actions={<ChangeDays userId={userId} />}
    />
  )
}
