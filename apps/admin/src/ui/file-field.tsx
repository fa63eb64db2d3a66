'use client'

import { type DragEvent, type ReactNode, useId, useState } from 'react'
import styles from './file-field.module.css'
import { Icon } from './icon.tsx'
import { Raw } from './text.tsx'

type FileFieldProps = {
  label: string
  /** Shown until a file is chosen: that one can also be dropped here. */
  dropWords: string
  accept: string
  hint: ReactNode
  /** The chosen file; null until one is chosen. */
  file: File | null
  onChoose: (file: File) => void
}

/**
 * A field for one file, chosen or dropped. The browser's own file input is there but invisible: it is labelled in the
 * language of the browser, not of the console.
 */
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
          // Browsers send no change event for the path that is chosen already: emptied first, a corrected file is taken.
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
