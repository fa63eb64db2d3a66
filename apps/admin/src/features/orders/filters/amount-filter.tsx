import { formatFen } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { OrderParams } from '../../../addresses.ts'
import type { ListState } from '../../../kit/list/use-list-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Popup } from '../../../ui/popup.tsx'
import { AmountForm } from './amount-form.tsx'
import type { AmountRange } from './filter-values.ts'
import styles from './filters.module.css'

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
export function AmountFilter({ list: { params, change } }: { list: ListState<OrderParams> }) {
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
