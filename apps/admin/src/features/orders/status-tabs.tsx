'use client'

import { OrderStatus } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import type { OrderListState } from './order-list-params.ts'

/** One status or all of them. */
export function StatusTabs({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const tabs = [null, ...OrderStatus.options].map((status) => ({
    key: status ?? 'all',
    label: status === null ? t('all') : t(`statuses.${status}`),
    href: paths.orders({ ...params, status, cursor: null }),
    current: params.status === status,
    choose: () => change({ status }),
  }))
  return <LinkTabs label={t('statusFilter')} tabs={tabs} />
}
