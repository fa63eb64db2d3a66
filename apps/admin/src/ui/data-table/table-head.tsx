import { useTranslations } from 'next-intl'
import type { Ref } from 'react'
import { Icon } from '../icon.tsx'
import type { Column } from './column.ts'
import { ColumnEdge, type ColumnWidths } from './column-widths.tsx'
import styles from './data-table.module.css'
import type { Selection } from './selection.tsx'

function PickPage<Row>({ selection, rows }: { selection: Selection<Row>; rows: number }) {
  const t = useTranslations('ui')
  const { length } = selection.picked
  return (
    <th className={styles['pick']}>
      <input
        type="checkbox"
        aria-label={t('selectPage')}
        checked={length > 0 && length === rows}
        ref={(box) => {
          if (box) box.indeterminate = length > 0 && length < rows
        }}
        onChange={selection.togglePage}
      />
    </th>
  )
}

function HeadTitle<Row>({ column: { title, sort } }: { column: Column<Row> }) {
  if (!sort) return <span className={styles['title']}>{title}</span>
  return (
    <button type="button" className={styles['sort']} data-direction={sort.direction} onClick={sort.press}>
      <span className={styles['title']}>{title}</span>
      <Icon name="chevronDown" size={14} />
    </button>
  )
}

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  rows: number
  selection: Selection<Row> | null
  widths: ColumnWidths
  row: Ref<HTMLTableRowElement>
}

export function TableHead<Row>({ columns, rows, selection, widths, row }: TableHeadProps<Row>) {
  const { length } = columns
  return (
    <thead>
      <tr ref={row}>
        {selection && <PickPage selection={selection} rows={rows} />}
        {columns.map((column, place) => (
          <th
            key={column.key}
            scope="col"
            data-key={column.key}
            data-align={column.align}
            data-from={column.from}
            aria-label={column.title}
            aria-sort={column.sort?.direction}
            // An edge reaches over the next head, so each lies above those that follow.
            style={{ zIndex: length - place + 2 }}
          >
            <HeadTitle column={column} />
            {place < length - 1 && (
              <ColumnEdge
                title={column.title}
                width={widths.widths[column.key] ?? widths.measured[column.key] ?? column.skeleton + 24}
                measure={widths.measure}
                grasp={() => widths.grasp(column.key)}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}
