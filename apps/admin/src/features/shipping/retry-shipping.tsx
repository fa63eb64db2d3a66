'use client'

import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
import { useAct } from '../../kit/act/use-act.ts'

export function RetryShipping({ outTradeNo }: { outTradeNo: string }) {
  const t = useTranslations('shipping')
  const retry = useAct({
    call: (api) => api.shipping.retry.mutate,
    invalidates: ['shipping'],
    done: () => t('retried'),
  })
  return (
    <ActButton
      icon="sync"
      label={t('retry')}
      hint={t('retryHint')}
      permission="shipping.retry"
      forbidden={(who) => t('forbidden', who)}
      act={retry}
      input={{ outTradeNo }}
    />
  )
}
