'use client'

import type { RevealedUser, UserDetail } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Raw } from '../../../ui/raw.tsx'
import { ReasonedAct } from '../../../ui/reasoned-act.tsx'
import styles from './detail.module.css'

function RevealButton({ id, show }: { id: string; show: (revealed: RevealedUser) => void }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const announce = useAnnounce()
  const forbidden = useForbidden('identifier.reveal')
  const reveal = useMutation(
    trpc.user.reveal.mutationOptions({
      onSuccess: (revealed) => {
        show(revealed)
        announce(t('reveal.done'))
      },
    }),
  )
  return (
    <ReasonedAct
      icon="eye"
      hint={t('reveal.hint')}
      disabledReason={forbidden && t('revealForbidden', forbidden)}
      title={t('reveal.title')}
      lead={t('reveal.lead')}
      submitLabel={t('reveal.submit')}
      busy={reveal.isPending}
      failure={failureOf(reveal.error)?.title ?? null}
      onOpen={reveal.reset}
      act={(reason) => reveal.mutateAsync({ id, reason })}
    >
      {t('reveal.submit')}
    </ReasonedAct>
  )
}

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
        <span className={styles['aside']}>
          <span className={styles['zone']}>{zone}</span>
          {!user.erasedAt && !revealed && <RevealButton id={user.id} show={setRevealed} />}
        </span>
      }
    >
      <DescriptionList items={facts} wide />
    </Panel>
  )
}
