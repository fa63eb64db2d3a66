// The one entry of a release: `node meridian.js <program> [arguments]`. Plain Node, so that it runs beside anything.
import { readFileSync } from 'node:fs'

/** @typedef {{ file: string, settings?: Record<string, string> }} Program */

/** @type {Record<string, Program>} */
const programs = {
  api: { file: 'api/main.js' },
  worker: { file: 'api/main.js', settings: { MERIDIAN_ROLE: 'worker' } },
  console: { file: 'console/server/serve-console.js' },
  sandbox: { file: 'sandbox/sandbox.js' },
  migrate: { file: 'api/commands/migrate.js' },
  'operator:create': { file: 'api/commands/create-operator.js' },
  'ledger:verify': { file: 'api/commands/verify-ledger.js' },
  'audit:verify': { file: 'api/commands/verify-audit.js' },
  import: { file: 'api/commands/import-file.js' },
  'db:heal': { file: 'api/commands/heal-payments.js' },
  'data:rekey': { file: 'api/commands/rekey-data.js' },
  'erasures:apply': { file: 'api/commands/apply-erasures.js' },
  doctor: { file: 'api/commands/doctor.js' },
  healthcheck: { file: 'healthcheck.js' },
}

/** Which release this is, for the programs' metrics and for whoever asks. @type {{ version: string, commit: string }} */
const { version, commit } = JSON.parse(readFileSync(new URL('./build.json', import.meta.url), 'utf8'))

/** @param {Record<string, string>} settings */
function useDefaults(settings) {
  for (const [name, value] of Object.entries(settings)) process.env[name] ||= value
}

/**
 * As process 1 of a container, Node ignores a signal that nothing listens to. Until the program listens itself, and in
 * commands, which do not, it ends the process as it would anywhere else. Nothing here starts a process of its own, so there
 * is no orphan to wait for.
 */
function endOnSignal() {
  for (const [signal, number] of /** @type {const} */ ([
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ]))
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number)
    })
}

const [name = 'api', ...args] = process.argv.slice(2)
const program = programs[name]
if (program === undefined) {
  const asked = ['help', '--help', '--version'].includes(name)
  const lines = [`Meridian ${version} (${commit})`, `usage: meridian.js ${Object.keys(programs).join(' | ')}`]
  process.stderr.write(`${(asked ? lines : [`There is no program "${name}".`, ...lines]).join('\n')}\n`)
  process.exit(asked ? 0 : 1)
}
if (process.pid === 1) endOnSignal()
Object.assign(process.env, program.settings)
useDefaults({ NODE_ENV: 'production', MERIDIAN_VERSION: version, MERIDIAN_COMMIT: commit })
const file = new URL(program.file, import.meta.url)
process.argv = [process.execPath, file.pathname, ...args]
await import(file.href)
