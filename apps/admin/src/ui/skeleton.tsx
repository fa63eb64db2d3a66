import styles from './skeleton.module.css'

/** A bar as wide as the text that will stand here. */
export function Skeleton({ width = '100%', height = 14 }: { width?: number | string; height?: number }) {
  return <span aria-hidden="true" data-waiting="" className={styles['bar']} style={{ width, height }} />
}
