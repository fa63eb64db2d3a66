import { type ReactNode, useId } from 'react'
import styles from './form-shell.module.css'

type FieldAttributes = { id: string; 'aria-describedby'?: string; 'aria-invalid': boolean }

/** A label above a control and, below it, what is expected or what is wrong. */
export function Field({
  label,
  hint,
  fault,
  children,
}: {
  label: string
  hint?: ReactNode
  fault?: string | null
  children: (attributes: FieldAttributes) => ReactNode
}) {
  const id = useId()
  const note = fault ?? hint
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {children({ id, 'aria-invalid': Boolean(fault), ...(note && { 'aria-describedby': `${id}-note` }) })}
      {note && (
        <span id={`${id}-note`} className={fault ? styles['fault'] : styles['hint']}>
          {note}
        </span>
      )}
    </div>
  )
}
