'use client'

import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { useAnnounce } from '../announcer.tsx'

export type Selection<Row> = {
  picked: readonly Row[]
  has: (row: Row) => boolean
  toggle: (row: Row) => void
  /** All rows of the page, or none of them. */
  togglePage: () => void
  clear: () => void
}

const none: ReadonlySet<string> = new Set()

/** Which rows of the page are chosen; a row that has left the page is not. */
export function useSelection<Row>(
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => string,
): Selection<Row> {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const [keys, setKeys] = useState(none)
  const picked = useMemo(() => rows?.filter((row) => keys.has(rowKey(row))) ?? [], [rows, keys, rowKey])
  return useMemo(() => {
    const choose = (chosen: readonly Row[]) => {
      setKeys(new Set(chosen.map(rowKey)))
      announce(t('selected', { count: chosen.length }), { quiet: true })
    }
    return {
      picked,
      has: (row) => picked.includes(row),
      toggle: (row) =>
        choose(picked.includes(row) ? picked.filter((other) => other !== row) : [...picked, row]),
      togglePage: () => choose(picked.length === rows?.length ? [] : (rows ?? [])),
      clear: () => setKeys(none),
    }
  }, [picked, rows, rowKey, announce, t])
}
