import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tsImport } from 'tsx/esm/api'
import { dataFolder } from './checkout.mjs'
import { interruption } from './interruption.mjs'
import { keepSecrets } from './keep-secrets.mjs'
import { planStart } from './plan-start.mjs'
import { builtFiles } from './program-files.mjs'
import { Refusal } from './refusal.mjs'
import { refuseLostSecrets } from './refuse-lost-secrets.mjs'
import { say } from './show-progress.mjs'

/** Most of what one run plays: it ends within minutes. */
const most = { users: 200, days: 92, seed: 2 ** 31 }

/**
 * @param {string[]} args
 * @returns {{ users: number, days: number, seed: number }}
 */
export function readSize(args) {
  const usual = { users: '40', days: '30', seed: '1' }
  const option = (/** @type {keyof typeof usual} */ name) => ({
    type: /** @type {const} */ ('string'),
    default: usual[name],
  })
  try {
    const options = { users: option('users'), days: option('days'), seed: option('seed') }
    const { values } = parseArgs({ args, options })
    return {
      users: within('users', values.users),
      days: within('days', values.days),
      seed: within('seed', values.seed),
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('The demo takes --users 40 --days 30 --seed 1.')
  }
}

/** @param {keyof typeof most} name @param {string} text */
function within(name, text) {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= most[name]) return number
  throw new Refusal(`--${name} is a number from 1 to ${most[name]}.`)
}

/** `npm run demo`: fills the sandbox of a running `npm start` with a busy month, by playing it. @param {string[]} args */
export async function demo(args) {
  const size = readSize(args)
  await refuseLostSecrets()
  const plan = planStart(keepSecrets(), {
    files: builtFiles,
    environment: 'production',
    prepare: async () => undefined,
  })
  if (plan.sandbox === null)
    throw new Refusal('A real merchant account is configured (WECHAT_*): the demo plays at a sandbox only.')
  /** @type {typeof import('../e2e/demo/index.ts')} */
  const { findSandbox, hireStaff, inWords, NoSandbox, playMonth } = await tsImport(
    '../e2e/demo/index.ts',
    import.meta.url,
  )
  const sandbox = await findSandbox({ sandboxUrl: plan.sandbox.url, apiUrl: plan.apiUrl }).catch((error) => {
    throw error instanceof NoSandbox ? new Refusal(error.message) : error
  })
  const [authSecret = ''] = (plan.settings.AUTH_SECRET ?? '').split(',')
  const api = { authSecret, apiUrl: plan.apiUrl }
  const { useDatabase } = await import('./use-database.mjs')
  const database = await useDatabase(plan.settings)
  try {
    const file = join(dataFolder, 'demo-staff.json')
    const staff = await hireStaff({ file, databaseUrl: database.databaseUrl, api })
    const shop = await playMonth({ ...size, sandbox, api, staff, say, signal: interruption })
    say(`\nPlayed: ${inWords(shop.tally)}.`)
    for (const refusal of shop.refusals) say(`Refused meanwhile: ${refusal}`)
    say(`The console shows it: ${plan.consoleUrl}`)
    return interruption.aborted ? 130 : 0
  } finally {
    await database.stop()
  }
}
