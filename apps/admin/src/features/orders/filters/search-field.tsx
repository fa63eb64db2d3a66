'use client'

import { useTranslations } from 'next-intl'
import { SearchField as Field } from '../../../ui/search-field.tsx'
import type { OrderListState } from '../order-list-params.ts'

/** Finds by a whole id. */
export function SearchField({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  return (
    <Field
      label={t('searchLabel')}
      placeholder={t('searchPlaceholder')}
      value={params.q}
      search={(q) => change({ q })}
    />
  )
}
