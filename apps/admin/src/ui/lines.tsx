import type { ReactNode } from 'react'
import styles from './lines.module.css'
import { Panel } from './panel.tsx'

type LinesProps<Row> = { rows: readonly Row[]; empty: string; children: (row: Row) => ReactNode }

/** A few things below each other, where a table would be too wide. */
export function Lines<Row>({ rows, empty, children }: LinesProps<Row>) {
  if (rows.length === 0) return <p className={styles['none']}>{empty}</p>
  return <ul className={styles['lines']}>{rows.map(children)}</ul>
}

/** The same as a panel of its own. */
export const LinesPanel = <Row,>({
  title,
  aside,
  ...lines
}: LinesProps<Row> & { title: string; aside?: ReactNode }) => (
  <Panel title={title} aside={aside}>
    <Lines {...lines} />
  </Panel>
)
