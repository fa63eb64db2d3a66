'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Icon } from '../../../ui/icon.tsx'

/** Asks the platform about the order and says what came of it. */
export function SyncButton({ outTradeNo, quiet }: { outTradeNo: string; quiet: boolean }) {
  const t = useTranslations('order')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('order.sync')
  const sync = useMutation(
    trpc.order.sync.mutationOptions({
      onMutate: () => announce(t('syncing'), { quiet: true }),
      onSuccess: ({ outcome, order }) => {
        queryClient.setQueryData(trpc.order.detail.queryKey({ outTradeNo }), order)
        announce(t(`outcomes.${outcome}`))
        return queryClient.invalidateQueries(trpc.order.pathFilter())
      },
      onError: (error) => announce(t('syncFailed', { reason: failureOf(error)?.title ?? '' })),
    }),
  )
  return (
    <ActionButton
      icon={<Icon name="sync" />}
      quiet={quiet}
      busy={sync.isPending}
      hint={t('syncHint')}
      disabledReason={forbidden && t('syncForbidden', forbidden)}
      onPress={() => sync.mutate({ outTradeNo })}
    >
      {t('sync')}
    </ActionButton>
  )
}
