import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from './checkout.mjs'
import { readSettingsFile } from './read-settings.mjs'

// Without letters and digits that look alike: the password is read off a screen.
const readable = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** @param {number} length */
const readableSecret = (length) => Array.from({ length }, () => readable[randomInt(readable.length)]).join('')

/** @type {Record<string, () => string>} */
const generators = {
  JWT_SECRET: () => randomBytes(48).toString('base64url'),
  AUTH_SECRET: () => randomBytes(48).toString('base64url'),
  DATA_KEY: () => randomBytes(48).toString('base64url'),
  OWNER_FIRST_PASSWORD: () => readableSecret(20),
}

export const secretsFile = join(dataFolder, 'secrets.env')

/**
 * The secrets of this checkout, made once and kept where only their owner can read them. Losing DATA_KEY
 * loses what it encrypts, so a secret that is there is never replaced.
 * @returns {import('./read-settings.mjs').Settings}
 */
export function keepSecrets() {
  mkdirSync(dataFolder, { recursive: true })
  const kept = readSettingsFile(secretsFile)
  const missing = Object.entries(generators).filter(([name]) => kept[name] === undefined)
  for (const [name, make] of missing) kept[name] = make()
  if (missing.length > 0) writeWhole(secretsFile, kept)
  chmodSync(secretsFile, 0o600)
  return kept
}

/**
 * Written beside and renamed: a crash leaves the old file or the new one, never half of one.
 * @param {string} file
 * @param {import('./read-settings.mjs').Settings} settings
 */
function writeWhole(file, settings) {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(`${file}.new`, lines.join(''), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
