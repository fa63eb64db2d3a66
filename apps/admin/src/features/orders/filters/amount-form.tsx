import { useTranslations } from 'next-intl'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
import { type AmountFault, type AmountRange, readAmountRange } from './filter-values.ts'
import styles from './filters.module.css'

const inYuan = (fen: number | null): string => (fen === null ? '' : (fen / 100).toFixed(2))

type AmountFormProps = { range: AmountRange; apply: (range: AmountRange) => void }

/** From how much to how much, typed in yuan. */
export function AmountForm({ range, apply }: AmountFormProps) {
  const t = useTranslations('orders')
  const id = useId()
  const [min, setMin] = useState(inYuan(range.min_fen))
  const [max, setMax] = useState(inYuan(range.max_fen))
  const [fault, setFault] = useState<AmountFault | null>(null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readAmountRange(min, max)
    if (typeof read === 'string') setFault(read)
    else apply(read)
  }
  const fields = [
    { key: 'min', label: t('minAmount'), value: min, set: setMin },
    { key: 'max', label: t('maxAmount'), value: max, set: setMax },
  ]
  return (
    <form className={styles['amountForm']} onSubmit={submit} noValidate>
      {fields.map(({ key, label, value, set }, index) => (
        <label key={key} htmlFor={`${id}-${key}`}>
          <span>{label}</span>
          <Input
            id={`${id}-${key}`}
            prefix="¥"
            inputMode="decimal"
            autoComplete="off"
            autoFocus={index === 0}
            value={value}
            onChange={(event) => set(event.target.value)}
            aria-invalid={fault !== null}
            {...(fault && { 'aria-describedby': `${id}-fault` })}
          />
        </label>
      ))}
      {fault && (
        <p id={`${id}-fault`} role="alert" className={styles['fault']}>
          {t(fault)}
        </p>
      )}
      <div className={styles['formActions']}>
        <Button onClick={() => apply({ min_fen: null, max_fen: null })}>{t('clearAmount')}</Button>
        <Button look="primary" type="submit">
          {t('applyAmount')}
        </Button>
      </div>
    </form>
  )
}
