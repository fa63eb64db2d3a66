import { appendFileSync } from 'node:fs'
import pg from 'pg'

// Loaded by record-release.ts before the API's tests into each of their processes: notes each named statement once.
const file = process.env.MERIDIAN_STATEMENTS ?? ''
const noted = new Set()
const { query } = pg.Client.prototype

pg.Client.prototype.query = function (asked, ...others) {
  const { name, text } = asked ?? {}
  if (typeof name === 'string' && !noted.has(name)) {
    noted.add(name)
    appendFileSync(file, `${JSON.stringify({ name, text })}\n`)
  }
  return query.call(this, asked, ...others)
}
