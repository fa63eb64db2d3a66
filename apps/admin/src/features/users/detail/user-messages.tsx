'use client'

import type { UserDetail } from '@meridian/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'

/** Sends the reminder to this user now, where they allowed one. */
function TestMessage({ userId }: { userId: string }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('setting.edit')
  const test = useMutation(
    trpc.message.test.mutationOptions({
      onSuccess: async ({ outcome, failure }) => {
        announce(t(`testOutcomes.${outcome}`, { code: failure ?? '' }))
        await queryClient.invalidateQueries(trpc.message.pathFilter())
      },
      onError: (error) => announce(failureOf(error)?.title ?? ''),
    }),
  )
  return (
    <ActionButton
      icon={<Icon name="sync" />}
      quiet
      busy={test.isPending}
      hint={t('testHint')}
      disabledReason={forbidden && t('testForbidden', forbidden)}
      onPress={() => test.mutate({ userId })}
    >
      {t('test')}
    </ActionButton>
  )
}

/** What was sent to the user, and what the platform refused. */
export function UserMessages({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const messages = useQuery(trpc.message.ofUser.queryOptions({ userId: user.id }))
  return (
    <Panel
      title={t('messages')}
      {...(user.state !== 'erased' && { aside: <TestMessage userId={user.id} /> })}
    >
      {messages.data && <p>{t('messagesAllowed', { count: messages.data.remaining })}</p>}
      <PlainTable
        caption={t('messages')}
        rows={messages.data?.items ?? []}
        rowKey={({ id }) => id}
        empty={t(messages.isError ? 'messagesFailed' : 'noMessages')}
        columns={[
          { key: 'at', title: t('messageAt'), cell: ({ at }) => <Moment time={at} /> },
          { key: 'kind', title: t('messageKind'), cell: ({ kind }) => t(`messageKinds.${kind}`) },
          {
            key: 'state',
            title: t('columns.state'),
            cell: ({ failure }) =>
              failure === null ? (
                <Badge tone="ok" icon="checkCircle">
                  {t('messageSent')}
                </Badge>
              ) : (
                <Badge tone="bad" icon="alert">
                  {t('messageRefused', { code: failure })}
                </Badge>
              ),
          },
        ]}
      />
    </Panel>
  )
}
