'use client'

import type { RevealedUser, UserDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import page from '../../../ui/detail-page.module.css'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Raw } from '../../../ui/raw.tsx'
import { RevealUser } from './user-acts.tsx'

/** Who the user is, masked until somebody says why they must know. */
export function UserIdentity({ user }: { user: UserDetail }) {
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
    { key: 'reports', term: t('reportCount'), value: user.reportCount },
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
