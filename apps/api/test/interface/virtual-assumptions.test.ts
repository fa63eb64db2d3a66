import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from './read-page.ts'

const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The rows of the page's last table: what is not settled, and where its assumption stands. */
const rows = (read('docs/virtual-payment.md').split('## Assumptions')[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))

const fileOf = (path: string) =>
  path.startsWith('payments:') ? path.replace('payments:', 'packages/payments/src/') : `apps/api/src/${path}`

/** What the code does not bear out of a row that names a file: its words, or where they come from. */
function faultsOf([, question = '', , where = '']: readonly string[]): string[] {
  const spans = [...where.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
  const path = spans.find((span) => span.endsWith('.ts'))
  if (path === undefined) return []
  const text = read(fileOf(path))
  const missing = spans.filter((span) => span !== path && !text.includes(span))
  const words = text.replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ')
  const isSourced = /virtual payment §|\(virtual payment, V\d/.test(words)
  return [...missing, ...(isSourced ? [] : ['its source'])].map((what) => `${question}: ${what}`)
}

test('every assumption about virtual payment stands where the page says, with its source', () => {
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.flatMap(faultsOf)).toEqual([])
})
