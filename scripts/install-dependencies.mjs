import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkout, dataFolder, inCheckout } from './checkout.mjs'
import { holdLock } from './hold-lock.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { step } from './show-progress.mjs'

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[] }} LockEntry
 */

/** Installs exactly what package-lock.json says, development tools too, unless it is there already. */
export async function installDependencies() {
  if (isInstalled()) return
  await holdLock(join(dataFolder, 'install.lock'), async () => {
    if (isInstalled()) return
    await step('Installing the dependencies (npm ci)', installNow)
  })
}

async function installNow() {
  const { npm_execpath: npm, NODE_ENV: _, ...inherited } = process.env
  const env = { ...inherited, npm_config_loglevel: 'error', npm_config_progress: 'false' }
  /** @type {[string, ...string[]]} */
  const thisNpm = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm']
  const { code, output } = await runCommand([...thisNpm, 'ci', '--include=dev'], { cwd: checkout, env })
  if (code !== 0) throw new Refusal(`The dependencies could not be installed. npm says:\n${output.trim()}`)
  if (!isInstalled())
    throw new Refusal('npm ci has ended well, yet node_modules does not match package-lock.json.')
}

/** npm leaves a lockfile of its own in node_modules at the end of each complete installation. */
function isInstalled() {
  const left = inCheckout('node_modules', '.package-lock.json')
  if (!existsSync(left)) return false
  const installed = readPackages(left)
  const wanted = readPackages(inCheckout('package-lock.json'))
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/')) continue
    const found = installed[path]
    if (found === undefined && (entry.optional || entry.devOptional)) continue
    if (found === undefined || found.version !== entry.version) return false
    // A workspace that is new in the lockfile is installed by its link alone.
    if (entry.link && !existsSync(inCheckout(path))) return false
  }
  return Object.values(installed).every(runsHere)
}

/** node_modules may come from another kind of machine (a mounted folder). @param {LockEntry} entry */
function runsHere(entry) {
  return fits(entry.os, process.platform) && fits(entry.cpu, process.arch)
}

/** @param {string[] | undefined} allowed @param {string} here */
function fits(allowed, here) {
  if (allowed === undefined || allowed.length === 0) return true
  return allowed.some(
    (name) => name === here || name === 'any' || (name.startsWith('!') && name !== `!${here}`),
  )
}

/** @param {string} file @returns {Record<string, LockEntry>} */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}
