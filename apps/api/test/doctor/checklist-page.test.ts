import { expect, test } from 'vitest'
import { everyAbout } from '../../src/doctor/examine.ts'
import { readPage } from '../interface/read-page.ts'

/** The first cell of each row of the page's first table, without the head. */
function checksOf(path: string): string[] {
  const [table] = readPage(path).sections.filter(({ prose }) => prose.includes('| `settings`'))
  return [...(table?.prose ?? '').matchAll(/^\| `([^`]+)`\s+\|/gm)].map(([, name = '']) => name)
}

test.each(['docs/going-live.md', 'docs/going-live.zh-CN.md'])(
  '%s has a row for every check of the doctor, in its order',
  (page) => {
    expect(checksOf(page)).toEqual(everyAbout)
  },
)
