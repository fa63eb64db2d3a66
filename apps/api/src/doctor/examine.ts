import { setTimeout as delay } from 'node:timers/promises'
import { systemRuntime } from '@meridian/payments'
import { readEnvironment } from '@meridian/process/read-environment'
import { pino } from 'pino'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { closeServices, openServices } from '../services.ts'
import { addressChecks } from './checks/addresses.ts'
import { alarmChecks } from './checks/alarms.ts'
import { databaseChecks, reachable } from './checks/database.ts'
import { databaseAddressChecks } from './checks/database-addresses.ts'
import { installationChecks } from './checks/installation.ts'
import { notifyAddress } from './checks/notify-address.ts'
import { peopleChecks } from './checks/people.ts'
import { platformChecks } from './checks/platform.ts'
import { workChecks } from './checks/work.ts'
import { type Check, type Examined, type Finding, fault, warning, well } from './finding.ts'
import { hideSecrets } from './hide-secrets.ts'
import { settingsFaults } from './mend-settings.ts'

/** Checks of one list are made in turn, the lists beside each other. */
const lists: readonly (readonly Check[])[] = [
  [...databaseChecks, ...databaseAddressChecks],
  installationChecks,
  addressChecks,
  platformChecks,
  [notifyAddress],
  [...peopleChecks, ...alarmChecks, ...workChecks],
]

/** What every check is about, in the order in which they are shown. */
export const everyAbout: readonly string[] = [
  'settings',
  reachable.about,
  ...lists.flatMap((checks) => checks.map(({ about }) => about)),
]

/** One check, and all of them. */
const longest = { checkMs: 10_000, allMs: 50_000, closingMs: 3_000 } as const

const reasonOf = (error: unknown) => {
  if (error instanceof ConfigError) return error.problems.join('; ')
  if (!(error instanceof Error)) return String(error)
  // Happy eyeballs: what went wrong with each address stands inside.
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message || first.name : error.name
}

/** @throws Error when there is no answer in time */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      work,
      delay(ms, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`no answer within ${Math.round(ms / 1000)} s`)
      }),
    ])
  } finally {
    timer.abort()
  }
}

async function lookAt(check: Check, examined: Examined, endsAtMs: number): Promise<Finding[]> {
  const { about, look, ifUnseen = 'mend what it says, then npm run doctor' } = check
  const ms = Math.max(1, Math.min(longest.checkMs, endsAtMs - performance.now()))
  try {
    return (await within(ms, look(examined))).map((found) => ({ about, ...found }))
  } catch (error) {
    const says = `could not be looked at: ${reasonOf(error)}`
    return [{ about, ...fault(says, ifUnseen) }]
  }
}

async function lookAtAll(examined: Examined): Promise<Finding[]> {
  const endsAtMs = performance.now() + longest.allMs
  const first = await lookAt(reachable, examined, endsAtMs)
  const isThere = first.every(({ level }) => level !== 'fault')
  const inTurn = async (checks: readonly Check[]) => {
    const found: Finding[] = []
    for (const check of checks)
      if (isThere || !check.needsDatabase) found.push(...(await lookAt(check, examined, endsAtMs)))
    return found
  }
  const rest = (await Promise.all(lists.map(inTurn))).flat()
  if (isThere) return [...first, ...rest]
  const left = lists.flat().filter(({ needsDatabase }) => needsDatabase)
  const says = `without it nothing was said about ${left.map(({ about }) => about).join(', ')}`
  const unseen = { about: reachable.about, ...warning(says, 'npm run doctor, once it answers') }
  return [...first, unseen, ...rest]
}

export type Options = { testAlarms?: boolean }

/** Opened with the fewest connections; the role decides nothing that is looked at. */
const openFor = (config: Config) =>
  openServices(
    { ...config, MERIDIAN_ROLE: 'api', DATABASE_POOL_SIZE: 6 },
    pino({ level: 'silent' }),
    systemRuntime,
  )

async function examineWith(
  config: Config,
  { environment, testAlarms }: Pick<Examined, 'environment' | 'testAlarms'>,
): Promise<Finding[]> {
  const services = openFor(config)
  try {
    await within(longest.checkMs, services.clock.read()).catch(() => undefined)
    const now = services.runtime.now()
    return await lookAtAll({ services, config, environment, now, testAlarms })
  } finally {
    await within(longest.closingMs, closeServices(services)).catch(() => undefined)
  }
}

/**
 * Walks through the checklist before going live (docs/going-live.md) with the settings of this process. The platform is
 * asked about an order that nobody made. It changes nothing; with `testAlarms` each channel gets a message, and what
 * became of it is kept with the channel. It ends within a minute whatever does not answer.
 */
export async function examine(
  source: NodeJS.ProcessEnv,
  { testAlarms = false }: Options = {},
): Promise<Finding[]> {
  const { environment } = readEnvironment(source)
  try {
    const found = await examineWith(readConfig(source), { environment, testAlarms })
    return hideSecrets([{ about: 'settings', ...well('each of them can be used') }, ...found], environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return hideSecrets(settingsFaults(error), environment)
  }
}
