import { join } from 'node:path'
import { dataFolder, inCheckout } from './checkout.mjs'
import {
  hasAnyOf,
  hasDatabase,
  reachable,
  readPort,
  readSettings,
  readSettingsFile,
} from './read-settings.mjs'

/** @typedef {import('./read-settings.mjs').Settings} Settings */
/** @typedef {{ env: Settings, url: string, folder: string }} SandboxPlan */
/**
 * @typedef {object} StartPlan
 * @property {import('./program-files.mjs').ProgramFiles} files
 * @property {Settings} settings what the API and its commands get
 * @property {import('./check-ports.mjs').WantedPort[]} ports
 * @property {string} apiUrl
 * @property {string} consoleUrl
 * @property {SandboxPlan | null} sandbox null when a real merchant account is configured
 * @property {{ command: [string, ...string[]], cwd: string, env: Settings, ready: string }} console
 */

/**
 * Decides from the environment what `npm start` runs where.
 * @param {Settings} secrets
 * @param {import('./start.mjs').StartOptions} options
 * @returns {StartPlan}
 */
export function planStart(secrets, { files, environment }) {
  const given = readSettings()
  const withSandbox = !hasAnyOf(given, 'WECHAT_')
  const host = given.HOST ?? (withSandbox ? '127.0.0.1' : '0.0.0.0')
  const apiPort = readPort(given, 'PORT', 4000)
  const consolePort = readPort(given, 'ADMIN_PORT', 3000)
  const metricsPort = readPort(given, 'METRICS_PORT', 9464)
  const metricsHost = given.METRICS_HOST ?? '127.0.0.1'
  const apiUrl = `http://${reachable(host)}:${apiPort}`
  const consoleUrl = given.CONSOLE_URL ?? `http://${reachable(host)}:${consolePort}`
  const { OWNER_FIRST_PASSWORD: _, ...kept } = secrets
  const ownSecrets = Object.entries(kept).filter(([name]) => given[`${name}_FILE`] === undefined)
  const settings = { ...Object.fromEntries(ownSecrets), ...given, NODE_ENV: environment, HOST: host }
  Object.assign(settings, { PORT: `${apiPort}`, ADMIN_PORT: `${consolePort}`, CONSOLE_URL: consoleUrl })
  Object.assign(settings, { API_URL: given.API_URL ?? apiUrl })
  // Nobody balances load between programs that share a database of their own machine.
  if (!hasDatabase(given)) Object.assign(settings, { DRAIN_SECONDS: given.DRAIN_SECONDS ?? '0' })
  const sandbox = withSandbox ? planSandbox(given, { host, apiUrl, consoleUrl }) : null
  return {
    files,
    settings,
    apiUrl,
    consoleUrl,
    sandbox,
    console: planConsole(settings, { host, port: consolePort, files }),
    ports: [
      { what: 'the API', setting: 'PORT', host, port: apiPort },
      { what: 'the console', setting: 'ADMIN_PORT', host, port: consolePort },
      ...(sandbox === null
        ? []
        : [
            {
              what: 'the sandbox',
              setting: 'SANDBOX_PORT',
              host,
              port: readPort(given, 'SANDBOX_PORT', 4100),
            },
          ]),
      { what: 'metrics', setting: 'METRICS_PORT', host: metricsHost, port: metricsPort },
    ],
  }
}

/**
 * @param {Settings} given
 * @param {{ host: string, apiUrl: string, consoleUrl: string }} place
 * @returns {SandboxPlan}
 */
function planSandbox(given, { host, apiUrl, consoleUrl }) {
  const port = readPort(given, 'SANDBOX_PORT', 4100)
  const folder = given.SANDBOX_FOLDER ?? join(dataFolder, 'sandbox')
  const url = `http://${reachable(host)}:${port}`
  const own = { SANDBOX_PORT: `${port}`, SANDBOX_FOLDER: folder, HOST: host }
  Object.assign(own, { API_URL: apiUrl, CONSOLE_URL: consoleUrl })
  return { folder, url, env: { ...harmless(given), ...own, NOTIFY_URL: `${apiUrl}/api/v1/payment/notify` } }
}

/**
 * The console is given no more secrets than it uses.
 * @param {Settings} settings
 * @param {{ host: string, port: number, files: import('./program-files.mjs').ProgramFiles }} place
 */
function planConsole(settings, { host, port, files }) {
  const { AUTH_SECRET = '', API_URL = '', CONSOLE_URL = '', NODE_ENV = '' } = settings
  const own = { NODE_ENV, HOST: host, ADMIN_PORT: `${port}`, AUTH_SECRET, API_URL, CONSOLE_URL }
  return {
    command: files.console({ host, port }),
    cwd: inCheckout('apps', 'admin'),
    env: { ...harmless(settings), ...own, NEXT_TELEMETRY_DISABLED: '1' },
    ready: `http://${reachable(host)}:${port}/sign-in`,
  }
}

/** @param {Settings} settings */
function harmless(settings) {
  const secret = /^(JWT_SECRET|AUTH_SECRET|DATA_KEY|DATABASE_URL|REDIS_URL|WECHAT_.*|MERIDIAN_.*)$/
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !secret.test(name)))
}

/**
 * What the running sandbox has written for an API that wants to use it.
 * @param {SandboxPlan} sandbox
 */
export function sandboxSettings(sandbox) {
  return readSettingsFile(join(sandbox.folder, 'api.env'))
}
