import { cpSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFileTrace } from '@vercel/nft'
import { checkout, inCheckout } from './checkout.mjs'

/**
 * Where what lies in the checkout goes in a release. Packages stay beside the programs that load them, as npm has put
 * them, so that each finds the version it was tested with.
 */
const places = [
  ['apps/api/dist/', 'api/'],
  ['apps/api/node_modules/', 'api/node_modules/'],
  ['apps/admin/dist/', 'console/server/'],
  ['apps/admin/node_modules/', 'console/node_modules/'],
  ['tools/sandbox/dist/', 'sandbox/'],
  ['tools/sandbox/node_modules/', 'sandbox/node_modules/'],
  ['node_modules/', 'node_modules/'],
]

/**
 * Next lists its own files (`output: 'standalone'`). A compiler is loaded only for settings written in TypeScript. A release
 * has one manifest of its own.
 */
const notTraced = [
  'apps/admin/.next/**',
  'node_modules/next/**',
  'node_modules/typescript/**',
  'apps/*/package.json',
  'tools/*/package.json',
]

/**
 * Packages of which only the files that are imported ship: a client for one database of six and one runtime of three. Of the
 * others everything ships that is not documentation, since some read files that no import names.
 */
const importedFilesOnly = new Set(['node_modules/@prisma/client'])
const documentation =
  /\.d\.[mc]?ts$|\.map$|\/(?!licen|notice|copying)[^/]*\.(md|markdown)$|\/(tests?|__tests__|examples?)\//i

/** @param {string} file relative to the checkout */
export function placeInRelease(file) {
  const [from, to] = places.find(([folder = '']) => file.startsWith(folder)) ?? []
  if (from === undefined || to === undefined) throw new Error(`${file} has no place in a release`)
  return join(to, file.slice(from.length))
}

/** @param {string} file @returns {string | undefined} the folder of the package it belongs to */
const packageOf = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

/** @param {string} folder @returns {string[]} what of a package ships, relative to the checkout */
function filesOf(folder) {
  return readdirSync(inCheckout(folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => packageOf(file) === folder && !documentation.test(file.slice(folder.length)))
    .filter((file) => lstatSync(inCheckout(file)).isFile())
}

/**
 * Copies these programs, and what they load of other packages, into a release.
 * @param {string[]} programs built files, relative to the checkout
 * @param {string} release
 */
export async function collectPrograms(programs, release) {
  const { fileList } = await nodeFileTrace(programs, {
    base: checkout,
    processCwd: checkout,
    ignore: notTraced,
  })
  const packages = new Set([...fileList].flatMap((file) => packageOf(file) ?? []))
  const whole = [...packages].filter((folder) => !importedFilesOnly.has(folder)).flatMap(filesOf)
  const files = new Set([...fileList, ...whole].filter((file) => lstatSync(inCheckout(file)).isFile()))
  for (const file of [...files].sort()) cpSync(inCheckout(file), join(release, placeInRelease(file)))
}
