import { formatFen } from '@meridian/contracts'
import type { ReactNode } from 'react'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import { ListedPerson } from './listed-person.tsx'
import type { ListState } from './use-list-state.ts'

/** Where a column stands; on a phone's card with its title, unless it says otherwise. */
type Place<Row> = Partial<Pick<Column<Row>, 'card' | 'from' | 'sort' | 'align' | 'skeleton'>> & {
  /** Under what an operator's arrangement keeps it, for good, where that is not the word of its title. */
  key?: string
}

type IdPlace<Row> = Place<Row> & {
  /** What the id is called where it is copied; the column's title where nothing else is said. */
  name?: string
  href?: (row: Row) => string
  /** Reads the page behind it ahead: only where reading leaves no trace. */
  ahead?: boolean
  /** Shown whole where there is room for it. */
  whole?: boolean
}

type PersonPlace<Row> = Place<Row> & {
  id: (row: Row) => string | null
  /** What the id is called where it is copied. */
  idName: string
  href: (id: string) => string
}

type TimePlace<Row> = Place<Row> & { exact?: boolean; relative?: boolean }

const moneyOf = (fen: number | null): string | null => (fen === null ? null : formatFen(fen))

function makersOf<Word extends string>(t: (word: Word) => string) {
  function cell<Row>(word: Word, show: (row: Row) => ReactNode, place: Place<Row> = {}): Column<Row> {
    return { key: word, title: t(word), skeleton: 72, card: 'line', ...place, cell: show }
  }
  const filled = <Row,>(word: Word, show: (row: Row) => ReactNode, place: Place<Row>): Column<Row> =>
    cell(word, (row: Row) => show(row) ?? <EmptyValue />, place)
  return {
    cell,
    text: <Row,>(word: Word, read: (row: Row) => string | null, place: Place<Row> = {}) =>
      filled(word, read, place),
    count: <Row,>(word: Word, read: (row: Row) => ReactNode, place: Place<Row> = {}) =>
      cell(word, read, { skeleton: 24, ...place, align: 'end' }),
    money: <Row,>(word: Word, read: (row: Row) => number | null, place: Place<Row> = {}) =>
      filled(word, (row: Row) => moneyOf(read(row)), { ...place, align: 'end' }),
    /** Ids, to copy and to follow. */
    id: <Row,>(
      word: Word,
      read: (row: Row) => string | null,
      { name, href, ahead = false, whole = false, ...place }: IdPlace<Row> = {},
    ) =>
      filled(
        word,
        (row: Row) => {
          const value = read(row)
          if (!value) return null
          const link = href && { href: href(row) }
          return <Identifier value={value} name={name ?? t(word)} ahead={ahead} whole={whole} {...link} />
        },
        { skeleton: 132, ...place },
      ),
    /** People: by their name, with the end of their id. */
    person: <Row,>(
      word: Word,
      read: (row: Row) => string | null,
      { id, idName, href, ...place }: PersonPlace<Row>,
    ) =>
      filled(
        word,
        (row: Row) => {
          const of = id(row)
          return of && <ListedPerson id={of} idName={idName} name={read(row)} href={href(of)} />
        },
        { skeleton: 112, ...place },
      ),
    /** Moments. */
    time: <Row,>(
      word: Word,
      read: (row: Row) => Date | null,
      { exact = false, relative = false, ...place }: TimePlace<Row> = {},
    ) =>
      filled(
        word,
        (row: Row) => {
          const time = read(row)
          return time && <DateTime time={time} exact={exact} relative={relative} />
        },
        { skeleton: 112, ...place },
      ),
  }
}

type Makers<Word extends string> = ReturnType<typeof makersOf<Word>>

/** Makes columns by what they hold; each is titled by the word that is named first. */
export function columnsOf<Words extends (word: never) => string>(t: Words): Makers<Parameters<Words>[0]>
export function columnsOf(t: (word: string) => string): Makers<string> {
  return makersOf(t)
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

/** By a moment, the newest or the oldest first. */
export const byAge = { ascending: 'oldest', descending: 'newest' } as const
