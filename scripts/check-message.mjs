import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const most = 72
const madeByGit = /^(Merge |Revert "|fixup! |squash! |amend! )/

/**
 * What is wrong with a commit message; the rules stand in CONTRIBUTING.md.
 * @param {string} message
 * @returns {string[]}
 */
export function findSlips(message) {
  const [subject = '', second = ''] = message.split('\n').filter((line) => !line.startsWith('#'))
  if (madeByGit.test(subject)) return []
  const slips = []
  if (!/^[a-z][a-z0-9 ,./:-]*: \S/.test(subject))
    slips.push('the subject must be "scope: what changes", such as "orders: close what nobody pays"')
  const length = [...subject].length
  if (length > most) slips.push(`the subject has ${length} characters, ${most} are allowed`)
  if (subject.endsWith('.')) slips.push('the subject ends without a full stop')
  if (second !== '') slips.push('an empty line separates subject and body')
  return slips
}

const [, called = '', file] = process.argv
if (file !== undefined && import.meta.url === pathToFileURL(called).href) {
  const slips = findSlips(readFileSync(file, 'utf8'))
  for (const slip of slips) console.error(`Commit message: ${slip}.`)
  process.exitCode = slips.length === 0 ? 0 : 1
}
