import styles from './dashboard.module.css'

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

export const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
export const formatShare = (part: number, whole: number) => percent.format(shareOf(part, whole))

/** A bar as long as its share, with the number in words beside it. */
export function Share({ part, whole }: { part: number; whole: number }) {
  return (
    <span className={styles['share']} aria-hidden="true">
      <span style={{ inlineSize: `${shareOf(part, whole) * 100}%` }} />
    </span>
  )
}
