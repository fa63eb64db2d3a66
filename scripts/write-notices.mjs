import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inCheckout } from './checkout.mjs'
import { shippedPackages } from './list-dependencies.mjs'

const isLicence = (/** @type {string} */ name) => /^(licen[cs]e|notice|copying)/i.test(name)

/** @param {string} place @returns {string} what the authors of a package want to be passed on with it */
function wordsOf(place) {
  const folder = inCheckout(place)
  if (!existsSync(folder)) return ''
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && isLicence(entry.name),
  )
  return files.map(({ name }) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n')
}

/**
 * Writes the licences of everything that a release contains, also of what is bundled into our own files: each text once,
 * under the packages that have it.
 * @param {string} file
 */
export function writeNotices(file) {
  /** @type {Map<string, string[]>} */
  const packagesByText = new Map()
  for (const { name, version, license, place } of shippedPackages()) {
    const text = wordsOf(place) || `Licence: ${license}`
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const parts = [...packagesByText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  writeFileSync(file, parts.join(`\n${'-'.repeat(80)}\n\n`))
}
