import { Skeleton } from '../skeleton.tsx'
import type { Column } from './column.ts'
import styles from './data-table.module.css'

const places = Array.from({ length: 10 }, (_, place) => place)

/** Rows as high and cells as wide as the real ones will be. */
export function SkeletonRows<Row>({ columns, picks }: { columns: readonly Column<Row>[]; picks: boolean }) {
  return places.map((place) => (
    <tr key={place}>
      {picks && <td className={styles['pick']} />}
      {columns.map(({ key, align, from, card, skeleton }) => (
        <td key={key} data-align={align} data-from={from} data-card={card}>
          <Skeleton width={skeleton} />
        </td>
      ))}
    </tr>
  ))
}
