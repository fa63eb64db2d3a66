import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { inCheckout } from './checkout.mjs'
import { Refusal } from './refusal.mjs'

/** @typedef {Record<string, string>} Settings an empty value counts as unset, so none is empty */

/** The environment, and below it what .env says. @returns {Settings} */
export function readSettings() {
  return { ...readSettingsFile(inCheckout('.env')), ...withoutEmpty(process.env) }
}

/** @param {string} file @returns {Settings} none when the file does not exist */
export function readSettingsFile(file) {
  return existsSync(file) ? withoutEmpty(parseEnv(readFileSync(file, 'utf8'))) : {}
}

/** @param {NodeJS.ProcessEnv} env @returns {Settings} */
function withoutEmpty(env) {
  /** @type {Settings} */
  const settings = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== '') settings[name] = value
  }
  return settings
}

/** Whether a database is named, be it in a file: then the embedded one is not used. @param {Settings} settings */
export const hasDatabase = (settings) =>
  settings.DATABASE_URL !== undefined || settings.DATABASE_URL_FILE !== undefined

/**
 * A secret that is given as a file, as the programs read it.
 * @param {Settings} settings
 * @param {string} name
 */
export function readSecretFile(settings, name) {
  const file = settings[`${name}_FILE`]
  if (file === undefined) return undefined
  if (!existsSync(file)) throw new Refusal(`${name}_FILE: the file is missing.`)
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
}

/** @param {Settings} settings @param {string} prefix */
export function hasAnyOf(settings, prefix) {
  return Object.keys(settings).some((name) => name.startsWith(prefix))
}

/**
 * @param {Settings} settings
 * @param {string} name
 * @param {number} usual
 */
export function readPort(settings, name, usual) {
  const port = Number(settings[name] ?? usual)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Refusal(`${name} must be a port number between 1 and 65535.`)
}

/** Where a program that listens on `host` is reached from this machine. @param {string} host */
export function reachable(host) {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
