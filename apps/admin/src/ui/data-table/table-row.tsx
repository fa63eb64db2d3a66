'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { MouseEvent } from 'react'
import type { Column } from './column.ts'
import styles from './data-table.module.css'

type TableRowProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  /** Null where a row leads nowhere. */
  href: string | null
  /** Null where rows are not chosen. */
  pick: { picked: boolean; name: string; toggle: () => void } | null
}

const isOnControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, label') !== null

function PickRow({ picked, name, toggle }: { picked: boolean; name: string; toggle: () => void }) {
  const t = useTranslations('ui')
  return (
    <td className={styles['pick']}>
      <label>
        <input type="checkbox" aria-label={t('selectRow', { name })} checked={picked} onChange={toggle} />
      </label>
    </td>
  )
}

/** The whole row is a target for the mouse; for the keyboard the link in it is. */
export function TableRow<Row>({ row, columns, href, pick }: TableRowProps<Row>) {
  const router = useRouter()
  const open = (event: MouseEvent) => {
    if (href === null || isOnControl(event.target) || getSelection()?.type === 'Range') return
    if (event.metaKey || event.ctrlKey) window.open(href, '_blank', 'noopener')
    else router.push(href)
  }
  return (
    <tr
      className={styles['row']}
      data-still={href === null || undefined}
      data-picked={pick?.picked || undefined}
      onClick={open}
    >
      {pick && <PickRow {...pick} />}
      {columns.map(({ key, title, align, from, card, cell }) => (
        <td key={key} data-align={align} data-from={from} data-card={card} data-title={title}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}
