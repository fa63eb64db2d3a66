'use client'

import { type DragEvent, type ReactNode, useId, useState } from 'react'
import styles from './file-field.module.css'
import { Icon } from './icon.tsx'
import { Raw } from './text.tsx'

type FileFieldProps = {
  label: string
  /** Says that a file can be dropped here as well. */
  dropWords: string
  accept: string
  hint: ReactNode
  /** What was chosen; null stands where nothing is. */
  file: File | null
  onChoose: (file: File) => void
}

/** One file, chosen or dropped. The browser's own field would speak the browser's language instead of the console's. */
export function FileField({ label, dropWords, accept, hint, file, onChoose }: FileFieldProps) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const take = (chosen: File | undefined) => chosen && onChoose(chosen)
  const hover = (over: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(over)
  }
  const drop = (event: DragEvent) => {
    hover(false)(event)
    take(event.dataTransfer.files[0])
  }
  return (
    <div className={styles['field']}>
      <label
        className={styles['zone']}
        data-over={isOver || undefined}
        onDragOver={hover(true)}
        onDragLeave={hover(false)}
        onDrop={drop}
      >
        <Icon name="upload" size={20} />
        <span id={`${id}-label`} className={styles['label']}>
          {label}
        </span>
        <span className={styles['chosen']}>{file ? <Raw>{file.name}</Raw> : dropWords}</span>
        <input
          type="file"
          accept={accept}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint`}
          // The same file, mended meanwhile, is a choice as well.
          onClick={({ currentTarget }) => {
            currentTarget.value = ''
          }}
          onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
        />
      </label>
      <p id={`${id}-hint`} className={styles['hint']}>
        {hint}
      </p>
    </div>
  )
}
