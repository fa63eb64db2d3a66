'use client'

import { useRouter } from 'next/navigation'
import type { MouseEvent } from 'react'
import type { Column } from './column.ts'
import styles from './data-table.module.css'

type TableRowProps<Row> = { row: Row; columns: readonly Column<Row>[]; href: string }

const isOnControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, label') !== null

/** The whole row is a target for the mouse; for the keyboard the link in it is. */
export function TableRow<Row>({ row, columns, href }: TableRowProps<Row>) {
  const router = useRouter()
  const open = (event: MouseEvent) => {
    if (isOnControl(event.target) || getSelection()?.type === 'Range') return
    if (event.metaKey || event.ctrlKey) window.open(href, '_blank', 'noopener')
    else router.push(href)
  }
  return (
    <tr className={styles['row']} onClick={open}>
      {columns.map(({ key, title, align, from, card, cell }) => (
        <td key={key} data-align={align} data-from={from} data-card={card} data-title={title}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}
