import { expect, test } from 'vitest'
import { useTestWorld } from '../world/use-opened.ts'
import { readPage } from './read-page.ts'

const world = useTestWorld()

type Shown = { view: string; name: string; type: string }

/** The columns that a page names, view by view, in their order. */
const shownOn = (page: string): Shown[] =>
  readPage(page).sections.flatMap(({ heading, prose }) => {
    const [, view] = heading.match(/`reporting\.(\w+)`/) ?? []
    if (view === undefined) return []
    return [...prose.matchAll(/^\| `(\w+)` +\| `([\w[\]]+)` +\|/gm)].map(([, name = '', type = '']) => ({
      view,
      name,
      type,
    }))
  })

const columnsSql = `
  SELECT c.relname AS view, a.attname AS name,
    CASE format_type(a.atttypid, a.atttypmod) WHEN 'timestamp with time zone' THEN 'timestamptz'
      ELSE regexp_replace(format_type(a.atttypid, a.atttypmod), '^timestamp\\(3\\) with time zone$', 'timestamptz') END AS type
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'reporting'::regnamespace AND c.relkind = 'v' AND a.attnum > 0 ORDER BY c.relname, a.attnum`

const byView = (columns: readonly Shown[]) =>
  columns.toSorted((one, other) => (one.view < other.view ? -1 : Number(one.view > other.view)))

test.each(['docs/reporting.md', 'docs/reporting.zh-CN.md'])(
  '%s names every column of every view, with its type, in its order',
  async (page) => {
    const columns = await world.query<Shown>(columnsSql)
    expect(columns.length).toBeGreaterThan(90)
    expect(byView(shownOn(page))).toEqual(columns)
  },
)
