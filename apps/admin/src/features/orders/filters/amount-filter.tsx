'use client'

import { formatFen } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Popup } from '../../../ui/popup.tsx'
import type { OrderListState } from '../order-list-params.ts'
import { AmountForm } from './amount-form.tsx'
import styles from './filters.module.css'
import type { AmountRange } from './read-amount-range.ts'

function useRangeWords({ min_fen, max_fen }: AmountRange): string {
  const t = useTranslations('orders')
  if (min_fen !== null && max_fen !== null) {
    return t('between', { min: formatFen(min_fen), max: formatFen(max_fen) })
  }
  if (min_fen !== null) return t('atLeast', { amount: formatFen(min_fen) })
  if (max_fen !== null) return t('atMost', { amount: formatFen(max_fen) })
  return t('anyAmount')
}

/** From how much to how much. */
export function AmountFilter({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const words = useRangeWords(params)
  return (
    <Popup
      label={t('amount')}
      trigger={(attributes) => (
        <Button {...attributes} className={styles['amount'] ?? ''} aria-label={`${t('amount')}: ${words}`}>
          <span>{words}</span>
          <Icon name="chevronDown" size={14} />
        </Button>
      )}
    >
      {(close) => (
        <AmountForm
          range={params}
          apply={(range) => {
            change(range)
            close()
          }}
        />
      )}
    </Popup>
  )
}
