import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import type { ListState } from './use-list-state.ts'

type Place<Row> = Pick<Column<Row>, 'key' | 'title' | 'card' | 'from' | 'sort'>

type IdColumn<Row> = Place<Row> & {
  /** What the id is called where it is copied; the column's title where nothing else is said. */
  name?: string
  skeleton?: number
  id: (row: Row) => string | null
  href?: (row: Row) => string
  /** Reads the page behind it ahead: only where reading leaves no trace. */
  ahead?: boolean
}

/** A column of ids, to copy and to follow. */
export function idColumn<Row>({ id, href, name, ahead = false, ...place }: IdColumn<Row>): Column<Row> {
  return {
    skeleton: 132,
    ...place,
    cell: (row) => {
      const value = id(row)
      if (!value) return <EmptyValue />
      return (
        <Identifier
          value={value}
          name={name ?? place.title}
          ahead={ahead}
          {...(href && { href: href(row) })}
        />
      )
    },
  }
}

type TimeColumn<Row> = Place<Row> & { at: (row: Row) => Date | null; exact?: boolean; relative?: boolean }

/** A column of moments. */
export function timeColumn<Row>({ at, exact, relative, ...place }: TimeColumn<Row>): Column<Row> {
  return {
    skeleton: 112,
    ...place,
    cell: (row) => {
      const time = at(row)
      if (!time) return <EmptyValue />
      return <DateTime time={time} {...(exact && { exact })} {...(relative && { relative })} />
    },
  }
}

/** How a column sorts its list: a press turns the order round. */
export function sortBy<Sort extends string>(
  { params: { sort }, change }: Pick<ListState<{ sort: Sort }>, 'params' | 'change'>,
  { ascending, descending }: { ascending: NoInfer<Sort>; descending: NoInfer<Sort> },
): NonNullable<Column<unknown>['sort']> {
  const directions = { [ascending]: 'ascending', [descending]: 'descending' } as const
  return {
    direction: directions[sort] ?? 'none',
    press: () => change({ sort: sort === descending ? ascending : descending }),
  }
}
