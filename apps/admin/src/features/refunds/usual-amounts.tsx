import { formatFen, type RefundPreview } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Button } from '../../ui/button.tsx'
import styles from './refunds.module.css'

type UsualAmountsProps = {
  /** What is known of the order so far; the whole of it is known before anything is asked. */
  preview: Pick<RefundPreview, 'halfFen' | 'unusedFen' | 'daysLeft'> | undefined
  wholeFen: number
  chosenFen: number | null
  choose: (fen: number) => void
}

/** The sums that are usually given back, each one press away from being the amount. */
export function UsualAmounts({ preview, wholeFen, chosenFen, choose }: UsualAmountsProps) {
  const t = useTranslations('refunds.usual')
  const { halfFen = 0, unusedFen = 0, daysLeft = 0 } = preview ?? {}
  const amounts = [
    { key: 'whole', label: t('whole'), fen: wholeFen },
    { key: 'half', label: t('half'), fen: halfFen },
    { key: 'unused', label: t('unused', { days: daysLeft }), fen: unusedFen },
  ]
  return (
    <fieldset className={styles['usual']} aria-label={t('label')}>
      {amounts.map(({ key, label, fen }) => (
        <Button
          key={key}
          aria-pressed={fen > 0 && fen === chosenFen}
          disabled={fen === 0}
          onClick={() => choose(fen)}
        >
          <span>{label}</span>
          <b>{formatFen(fen)}</b>
        </Button>
      ))}
    </fieldset>
  )
}
