'use client'

import { useTranslations } from 'next-intl'
import { FilterChips, useDaysInWords } from '../../../ui/filter-chips.tsx'
import type { OrderListState } from '../order-list-params.ts'

/** What the overview narrows the list by: when orders were paid, how that was learned, how far they came. */
export function OrderChips({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders.chips')
  const channels = useTranslations('order.channels')
  const daysInWords = useDaysInWords()
  const { paid_from, paid_to, confirmed_by, reached } = params
  const paid = (paid_from ?? paid_to) !== null && {
    key: 'paid',
    label: t('paidOn', { days: daysInWords({ from: paid_from, to: paid_to }) }),
    remove: () => change({ paid_from: null, paid_to: null }),
  }
  const confirmed = confirmed_by && {
    key: 'confirmed',
    label: t('confirmedBy', { channel: channels(confirmed_by) }),
    remove: () => change({ confirmed_by: null }),
  }
  const step = reached && {
    key: 'reached',
    label: t(`reached.${reached}`),
    remove: () => change({ reached: null }),
  }
  return <FilterChips chips={[paid, confirmed, step].filter((chip) => chip !== null && chip !== false)} />
}
