'use client'

import type { UserDetail, UserSession } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { useClock } from '../../../ui/clock.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { useAfterAct } from './use-user-act.ts'

/** Ends one session, or with none named all of them. */
function EndSessions({ id, session }: { id: string; session?: UserSession }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const after = useAfterAct()
  const forbidden = useForbidden('user.sessions')
  const [open, setOpen] = useState(false)
  const words = session ? 'endSession' : 'endSessions'
  const end = useMutation(
    trpc.user.endSessions.mutationOptions({
      onSuccess: async (user) => {
        setOpen(false)
        await after(user, t(`${words}.done`))
      },
    }),
  )
  return (
    <>
      <ActionButton
        icon={<Icon name="signOut" />}
        busy={end.isPending}
        hint={t(`${words}.hint`)}
        quiet
        disabledReason={forbidden && t('sessionsForbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t(`${words}.submit`)}
      </ActionButton>
      {open && (
        <Dialog
          title={t(`${words}.title`)}
          submitLabel={t(`${words}.submit`)}
          danger
          submitting={end.isPending}
          failure={failureOf(end.error)?.title ?? null}
          onSubmit={() => end.mutate({ id, ...(session && { sessionId: session.id }) })}
          onClose={() => setOpen(false)}
        >
          <p>{t('sessionsLead')}</p>
        </Dialog>
      )}
    </>
  )
}

const isOpen = ({ revokedAt, expiresAt }: UserSession, now: Date) => revokedAt === null && expiresAt > now

function SessionState({ session, open }: { session: UserSession; open: boolean }) {
  const t = useTranslations('users')
  if (open)
    return (
      <Badge tone="ok" icon="checkCircle">
        {t('sessionOpen')}
      </Badge>
    )
  return (
    <Badge tone="quiet" icon="dash">
      {t(session.revokedAt ? 'sessionEnded' : 'sessionExpired')}
    </Badge>
  )
}

/** Where the user is signed in. */
export function UserSessions({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const now = useClock()
  const anyOpen = user.sessions.some((session) => isOpen(session, now))
  return (
    <Panel title={t('sessions')} {...(anyOpen && { aside: <EndSessions id={user.id} /> })}>
      <PlainTable
        caption={t('sessions')}
        rows={user.sessions}
        rowKey={({ id }) => id}
        empty={t('noSessions')}
        columns={[
          { key: 'since', title: t('signedInAt'), cell: ({ createdAt }) => <DateTime time={createdAt} /> },
          { key: 'used', title: t('lastUsedAt'), cell: ({ lastUsedAt }) => <DateTime time={lastUsedAt} /> },
          {
            key: 'state',
            title: t('columns.state'),
            cell: (session) => <SessionState session={session} open={isOpen(session, now)} />,
          },
          {
            key: 'end',
            title: t('act'),
            cell: (session) => isOpen(session, now) && <EndSessions id={user.id} session={session} />,
          },
        ]}
      />
    </Panel>
  )
}
