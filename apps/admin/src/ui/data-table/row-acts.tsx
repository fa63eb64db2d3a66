import type { ReactNode } from 'react'
import styles from './row-acts.module.css'

/**
 * What may be done with one row, over its right end: shown to who points at the row or has it in focus, always where
 * nothing can point. It comes right after the link of the row, so that Tab reaches it from there.
 */
export const RowActs = ({ children }: { children: ReactNode }) => (
  <span className={styles['acts']} data-row-acts="">
    {children}
  </span>
)
