'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Icon } from '../../ui/icon.tsx'

export function RetryShipping({ outTradeNo }: { outTradeNo: string }) {
  const t = useTranslations('shipping')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('shipping.retry')
  const retry = useMutation(
    trpc.shipping.retry.mutationOptions({
      onSuccess: async () => {
        announce(t('retried'))
        await queryClient.invalidateQueries(trpc.shipping.pathFilter())
      },
      onError: (error) => announce(failureOf(error)?.title ?? ''),
    }),
  )
  return (
    <ActionButton
      icon={<Icon name="sync" />}
      busy={retry.isPending}
      hint={t('retryHint')}
      disabledReason={forbidden && t('forbidden', forbidden)}
      onPress={() => retry.mutate({ outTradeNo })}
    >
      {t('retry')}
    </ActionButton>
  )
}
