import { Icon } from '../icon.tsx'
import type { Column } from './column.ts'
import styles from './data-table.module.css'

export function TableHead<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, title, align, from, sort }) => (
          <th key={key} scope="col" data-align={align} data-from={from} aria-sort={sort?.direction}>
            {sort ? (
              <button
                type="button"
                className={styles['sort']}
                data-direction={sort.direction}
                onClick={sort.press}
              >
                {title}
                <Icon name="chevronDown" size={14} />
              </button>
            ) : (
              title
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}
