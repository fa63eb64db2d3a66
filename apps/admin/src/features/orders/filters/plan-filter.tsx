'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { Select } from '../../../ui/select.tsx'
import type { OrderListState } from '../order-list-params.ts'
import styles from './filters.module.css'

const ALL = ''

export function PlanFilter({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const trpc = useTRPC()
  const plans = useQuery({ ...trpc.plan.list.queryOptions(), staleTime: 300_000 })
  const options = (plans.data?.items ?? []).map(({ code, name, onSale }) => ({
    value: code,
    label: onSale ? name : t('offSale', { name }),
  }))
  return (
    <Select
      className={styles['plan'] ?? ''}
      aria-label={t('plan')}
      value={params.plan ?? ALL}
      options={[{ value: ALL, label: t('allPlans') }, ...options]}
      onChange={(plan) => change({ plan: plan === ALL ? null : plan })}
      popupMatchSelectWidth={false}
    />
  )
}
