'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useAnnounce } from '../announcer.tsx'
import { type Failure, FailurePanel } from '../failure-panel.tsx'
import type { Column } from './column.ts'
import { useColumnWidths } from './column-widths.tsx'
import styles from './data-table.module.css'
import { PageTurner, type PageTurns } from './page-turner.tsx'
import { type RowsPerPage, USUAL_ROWS } from './rows-per-page.ts'
import { BulkBar, PicksContext, useSelection } from './selection.tsx'
import { TableHead } from './table-head.tsx'
import { PICK_WIDTH, sharesOf, shownOf, useTableLayout } from './table-layout.ts'
import { TableMenu } from './table-menu.tsx'
import { SkeletonRows, TableRow, useRowKeys } from './table-rows.tsx'

export type DataTableProps<Row> = {
  /** Under which this list's looks are kept; the same in every language. */
  name: string
  /** Names the table to those who cannot see it. */
  caption: string
  columns: readonly Column<Row>[]
  /** Undefined until the first answer. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Null where a row leads nowhere. */
  rowHref: (row: Row) => string | null
  /** Newer rows are on their way; what is shown may be of the previous page. */
  busy: boolean
  failure: Failure | null
  onRetry: () => void
  empty: ReactNode
  turns: PageTurns
  /** How many rows a page has unless the address says otherwise. */
  usualRows?: RowsPerPage
  /** What may be done with one row: links and buttons that are signs; false or null for none. */
  rowActs?: (row: Row) => ReactNode
  /** What may be done with several rows at once; without it rows are not chosen. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
}

function useAnnouncedRows(busy: boolean, count: number | undefined) {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && !busy && count !== undefined) announce(t('loaded', { count }), { quiet: true })
    wasBusy.current = busy
  }, [busy, count, announce, t])
}

type Lines<Row> = Pick<DataTableProps<Row>, 'rows' | 'rowKey' | 'rowHref' | 'rowActs' | 'bulk'>

/** Kept while an edge is dragged or rows are chosen: only the head, the widths and the boxes change then. */
function useLines<Row>(
  { rows, rowKey, rowHref, rowActs, bulk }: Lines<Row>,
  columns: readonly Column<Row>[],
) {
  const chooses = bulk !== undefined
  return useMemo(
    () =>
      rows?.map((row) => {
        const key = rowKey(row)
        const pickKey = chooses ? key : null
        const acts = rowActs?.(row)
        return (
          <TableRow key={key} row={row} columns={columns} href={rowHref(row)} pickKey={pickKey} acts={acts} />
        )
      }),
    [rows, rowKey, rowHref, rowActs, columns, chooses],
  )
}

/** Every list of the console. Its required props are what a list must not forget. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, caption, columns, rows, rowKey, busy, failure, empty, turns, bulk } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const head = useRef<HTMLTableRowElement>(null)
  const kept = useRowKeys(body, turns)
  useAnnouncedRows(busy, rows?.length)
  const [layout, keep] = useTableLayout(name)
  const widths = useColumnWidths(head, { layout, keep })
  const selection = useSelection(rows, rowKey)
  const shown = useMemo(() => shownOf(columns, layout), [columns, layout])
  const chooses = bulk !== undefined
  const lines = useLines(props, shown) ?? <SkeletonRows columns={shown} picks={chooses} />

  if (failure) return <FailurePanel failure={failure} onRetry={props.onRetry} />
  if (rows?.length === 0 && !busy) return empty
  const fixed = Object.keys(widths.widths).length > 0
  return (
    <div className={styles['list']} data-list={name} data-compact={layout.compact || undefined}>
      <div className={styles['tools']}>
        <TableMenu usualRows={props.usualRows ?? USUAL_ROWS} columns={columns} layout={layout} keep={keep} />
      </div>
      <table
        className={styles['table']}
        aria-busy={busy}
        data-busy={(busy && rows !== undefined) || undefined}
        data-fixed={fixed || undefined}
      >
        <caption className={styles['caption']}>{caption}</caption>
        {fixed && (
          <Shares
            columns={shown}
            shares={sharesOf(
              shown.filter(({ key }) => widths.isSeen(key)),
              widths.widths,
              chooses ? PICK_WIDTH : 0,
            )}
            picks={chooses}
          />
        )}
        <TableHead
          columns={shown}
          rows={rows?.length ?? 0}
          selection={chooses ? selection : null}
          widths={widths}
          row={head}
        />
        <PicksContext value={selection}>
          <tbody {...kept}>{lines}</tbody>
        </PicksContext>
      </table>
      {bulk && (
        <BulkBar count={selection.picked.length} clear={selection.clear}>
          {bulk(selection.picked, selection.clear)}
        </BulkBar>
      )}
      <PageTurner turns={turns} busy={busy} />
    </div>
  )
}

type SharesProps<Row> = {
  columns: readonly Column<Row>[]
  shares: ReadonlyMap<string, number>
  picks: boolean
}

function Shares<Row>({ columns, shares, picks }: SharesProps<Row>) {
  return (
    <colgroup>
      {picks && <col style={{ width: PICK_WIDTH }} />}
      {columns.map(({ key, from }) => (
        <col key={key} data-from={from} style={{ width: `${(shares.get(key) ?? 0) * 100}%` }} />
      ))}
    </colgroup>
  )
}
