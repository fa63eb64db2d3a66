import styles from './raw-block.module.css'
import { Raw } from './text.tsx'

/** A message as it came or went, in a frame that scrolls. */
export const RawBlock = ({ children }: { children: string }) => (
  <Raw block className={styles['raw']}>
    {children}
  </Raw>
)
