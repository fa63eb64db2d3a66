import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of this checkout. */
export const checkout = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** What Meridian keeps between two starts: secrets, logs, sandbox keys and, for an ordinary user, the database. */
export const dataFolder = join(checkout, '.data')

/** @param {...string} parts */
export const inCheckout = (...parts) => join(checkout, ...parts)

/** Programs of node_modules run by this very Node, whatever the PATH says. @param {string} file */
export const nodeModule = (file) => inCheckout('node_modules', file)

/** A path as its caller means it: from the folder npm was called in, else from the root. @param {string} path */
export function callerPath(path) {
  const { INIT_CWD: calledIn = checkout } = { ...process.env }
  const fromCaller = resolve(calledIn, path)
  return existsSync(fromCaller) ? fromCaller : resolve(checkout, path)
}
