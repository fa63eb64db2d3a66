'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { useAnnounce } from '../announcer.tsx'
import { type Failure, FailurePanel } from '../failure-panel.tsx'
import type { Column } from './column.ts'
import styles from './data-table.module.css'
import { PageTurner, type PageTurns } from './page-turner.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { useRowKeys } from './use-row-keys.ts'

export type DataTableProps<Row> = {
  /** Names the table to those who cannot see it. */
  caption: string
  columns: readonly Column<Row>[]
  /** Undefined until the first answer. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  rowHref: (row: Row) => string
  /** Newer rows are on their way; what is shown may be of the previous page. */
  busy: boolean
  failure: Failure | null
  onRetry: () => void
  empty: ReactNode
  turns: PageTurns
}

/** Every list of the console. Its required props are what a list must not forget. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, busy, failure, empty, turns } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const t = useTranslations('ui')
  const announce = useAnnounce()
  useRowKeys(body, turns)

  const wasBusy = useRef(false)
  const count = rows?.length
  useEffect(() => {
    if (wasBusy.current && !busy && count !== undefined) announce(t('loaded', { count }), { quiet: true })
    wasBusy.current = busy
  }, [busy, count, announce, t])

  if (failure) return <FailurePanel failure={failure} onRetry={props.onRetry} />
  if (rows?.length === 0 && !busy) return empty
  return (
    <div className={styles['list']}>
      <table
        className={styles['table']}
        aria-busy={busy}
        data-busy={(busy && rows !== undefined) || undefined}
      >
        <caption className={styles['caption']}>{caption}</caption>
        <TableHead columns={columns} />
        <tbody ref={body}>
          {rows ? (
            rows.map((row) => (
              <TableRow key={props.rowKey(row)} row={row} columns={columns} href={props.rowHref(row)} />
            ))
          ) : (
            <SkeletonRows columns={columns} />
          )}
        </tbody>
      </table>
      <PageTurner turns={turns} busy={busy} />
    </div>
  )
}
