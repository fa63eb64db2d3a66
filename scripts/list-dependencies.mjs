import { readFileSync, writeFileSync } from 'node:fs'
import { inCheckout } from './checkout.mjs'

const file = inCheckout('docs', 'dependencies.md')

/** @typedef {{ version?: string, license?: string, dev?: boolean, devOptional?: boolean, link?: boolean }} Locked */

/** @typedef {{ name: string, version: string, license: string, place: string }} Shipped */

/** The packages of others that a running Meridian is made of, out of the lockfile, by name. @returns {Shipped[]} */
export function shippedPackages() {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(readFileSync(inCheckout('package-lock.json'), 'utf8'))
  /** @type {Map<string, Shipped>} */
  const found = new Map()
  for (const [place, { version = '', license, dev, devOptional, link }] of Object.entries(packages)) {
    const name = place.split('node_modules/').at(-1) ?? ''
    if (!place.includes('node_modules/') || dev || devOptional || link || name.startsWith('@meridian/'))
      continue
    found.set(`${name} ${version}`, { name, version, license: license ?? 'see the package', place })
  }
  return [...found.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, shipped]) => shipped)
}

/** @returns {string} Markdown */
export function describeDependencies() {
  const lines = shippedPackages().map(({ name, version, license }) => `- ${name} ${version}: ${license}`)
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
