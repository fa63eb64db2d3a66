import type { ReactNode } from 'react'

export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  align?: 'end'
  /** How wide the text of a row usually is, for the skeleton. */
  skeleton: number
  /** Left out of tables narrower than this: `medium` 840 px, `wide` 980 px, `widest` 1120 px, `vast` 1280 px, `full` 1400 px. */
  from?: 'medium' | 'wide' | 'widest' | 'vast' | 'full'
  /** Where it stands on a phone's card; `line` shows its title too. */
  card: 'head' | 'headEnd' | 'sub' | 'subEnd' | 'line' | 'none'
  /** Set where the list can be sorted by this column. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; press: () => void }
}
