import { Skeleton } from '../skeleton.tsx'
import type { Column } from './column.ts'

const places = Array.from({ length: 10 }, (_, place) => place)

/** Rows as high and cells as wide as the real ones will be. */
export function SkeletonRows<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return places.map((place) => (
    <tr key={place}>
      {columns.map(({ key, align, from, card, skeleton }) => (
        <td key={key} data-align={align} data-from={from} data-card={card}>
          <Skeleton width={skeleton} />
        </td>
      ))}
    </tr>
  ))
}
