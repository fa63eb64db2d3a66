import type { ReactNode } from 'react'
import { Panel } from './panel.tsx'
import styles from './plain-table.module.css'

type PlainColumn<Row> = { key: string; title: string; align?: 'end'; cell: (row: Row) => ReactNode }

type PlainTableProps<Row> = {
  caption: string
  columns: readonly PlainColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  empty: string
}

/** A few rows that belong to one thing; they all are here, so there is nothing to turn or to sort. */
export function PlainTable<Row>({ caption, columns, rows, rowKey, empty }: PlainTableProps<Row>) {
  if (rows.length === 0) return <p className={styles['empty']}>{empty}</p>
  return (
    <table className={styles['table']} aria-label={caption}>
      <thead>
        <tr>
          {columns.map(({ key, title, align }) => (
            <th key={key} scope="col" data-align={align}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, title, align, cell }) => (
              <td key={key} data-align={align} data-title={title}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type RecordsProps<Row> = Omit<PlainTableProps<Row>, 'caption' | 'empty'> & {
  title: string
  aside?: ReactNode
  /** What it says where there are none; without it nothing is shown then. */
  empty?: string
}

/** Records that belong to one thing, under a heading that names their table too. */
export function RecordsPanel<Row>({ title, aside, empty, ...table }: RecordsProps<Row>) {
  if (table.rows.length === 0 && empty === undefined) return null
  return (
    <Panel title={title} aside={aside}>
      <PlainTable caption={title} empty={empty ?? ''} {...table} />
    </Panel>
  )
}
