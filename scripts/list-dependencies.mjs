import { readFileSync, writeFileSync } from 'node:fs'
import { inCheckout } from './checkout.mjs'

const file = inCheckout('docs', 'dependencies.md')

/** @typedef {{ version?: string, license?: string, dev?: boolean, devOptional?: boolean, link?: boolean }} Locked */

/**
 * The packages of others that a running Meridian is made of, with their licences, out of the lockfile.
 * @returns {string} Markdown
 */
export function describeDependencies() {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(readFileSync(inCheckout('package-lock.json'), 'utf8'))
  const rows = new Map()
  for (const [place, { version, license, dev, devOptional, link }] of Object.entries(packages)) {
    const name = place.split('node_modules/').at(-1) ?? ''
    if (!place.includes('node_modules/') || dev || devOptional || link || name.startsWith('@meridian/'))
      continue
    rows.set(`${name} ${version}`, `- ${name} ${version}: ${license ?? 'see the package'}`)
  }
  const lines = [...rows.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  return [
    '# What is built in, under which licence',
    '',
    'The packages of other authors that a running Meridian loads, from the lockfile; written by `npm run dependencies`.',
    'What only building and testing need is not listed.',
    '',
    ...lines,
    '',
  ].join('\n')
}

/** `npm run dependencies`: writes the list anew. */
export function listDependencies() {
  writeFileSync(file, describeDependencies())
  return 0
}
