'use client'

import type { AlertChannelRow } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Icon } from '../../ui/icon.tsx'

type SendTestProps = { channel: AlertChannelRow; sends: boolean }

/** Asks for a test message; how it ended stands among the messages. */
export function SendTest({ channel: { id, testWaits }, sends }: SendTestProps) {
  const t = useTranslations('alertChannels')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const send = useMutation(
    trpc.alertChannel.test.mutationOptions({
      onSuccess: async () => {
        announce(t('testAsked'))
        await queryClient.invalidateQueries(trpc.alertChannel.pathFilter())
      },
      onError: (error) => announce(failureOf(error)?.title ?? ''),
    }),
  )
  const waits = testWaits ? t('testWaits') : null
  return (
    <ActionButton
      icon={<Icon name="upload" />}
      busy={send.isPending}
      hint={t('testHint')}
      disabledReason={sends ? waits : t('nobodySends')}
      quiet
      onPress={() => send.mutate({ id })}
    >
      {t('test')}
    </ActionButton>
  )
}
