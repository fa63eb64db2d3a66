import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { inCheckout } from './checkout.mjs'
import { say } from './show-progress.mjs'

/** What any page, and a plain list of the console, may load before it can be used; lists aim at 230. */
const limitKb = 260
const listLimitKb = 235

/** The shell, a table and its filters, and nothing else. */
const plainLists = [
  '/audit',
  '/devices',
  '/notifications',
  '/orders',
  '/refunds',
  '/refunds/inquiries',
  '/reports',
  '/shipping',
  '/staff',
  '/subscriptions',
  '/users',
]

/** @typedef {{ route: string, kb: number }} PageWeight */

/** @type {(file: string) => number} */
const gzippedBytes = (() => {
  /** @type {Map<string, number>} */
  const known = new Map()
  return (file) => {
    const bytes = known.get(file) ?? gzipSync(readFileSync(inCheckout('apps/admin', file))).length
    known.set(file, bytes)
    return bytes
  }
})()

/** How much JavaScript each page of the built console loads first, gzip. @returns {PageWeight[]} */
function weighPages() {
  const stats = inCheckout('apps/admin/.next/diagnostics/route-bundle-stats.json')
  /** @type {{ route: string, firstLoadChunkPaths: string[] }[]} */
  const routes = JSON.parse(readFileSync(stats, 'utf8'))
  return routes.map(({ route, firstLoadChunkPaths }) => {
    const bytes = firstLoadChunkPaths.reduce((sum, file) => sum + gzippedBytes(file), 0)
    return { route, kb: Math.round(bytes / 1024) }
  })
}

/** Says how much JavaScript each page loads first, the heaviest first. */
export function sayPageWeights() {
  const pages = weighPages().toSorted((one, other) => other.kb - one.kb)
  say(`JavaScript per route, gzip: ${pages.map(({ route, kb }) => `${route} ${kb} KB`).join(', ')}`)
}

/**
 * Holds every page of the built console to its budget.
 * @returns {import('./run-tests.mjs').Counts}
 */
export function checkPageWeights() {
  const pages = weighPages()
  const isList = (/** @type {PageWeight} */ { route }) => plainLists.includes(route)
  const lists = pages.filter(isList)
  const unbuilt = plainLists.filter((list) => !lists.some(({ route }) => route === list))
  if (unbuilt.length > 0) throw new Error(`The build has no page ${unbuilt.join(', ')} to weigh.`)
  const heavy = pages.filter((page) => page.kb > (isList(page) ? listLimitKb : limitKb))
  const heaviestOf = (/** @type {PageWeight[]} */ some) =>
    some.reduce((one, other) => (other.kb > one.kb ? other : one))
  const [list, page] = [heaviestOf(lists), heaviestOf(pages)]
  say(
    `JavaScript of ${pages.length} pages: ${list.kb} KB at most for a plain list (${list.route}; at most ${listLimitKb}), ${page.kb} KB at most (${page.route}; at most ${limitKb})`,
  )
  for (const { route, kb } of heavy) say(`  too heavy: ${route} loads ${kb} KB`)
  return { passed: heavy.length === 0 ? 1 : 0, failed: heavy.length === 0 ? 0 : 1 }
}
