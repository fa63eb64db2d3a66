import { systemRuntime } from '@meridian/payments'
import { readEnvironment } from '@meridian/process/read-environment'
import { pino } from 'pino'
import { ConfigError, readConfig } from '../config.ts'
import { closeServices, openServices } from '../services.ts'
import { databaseChecks } from './checks/database.ts'
import { installationChecks } from './checks/installation.ts'
import { peopleChecks } from './checks/people-and-alarms.ts'
import { platformChecks } from './checks/platform.ts'
import { type Check, type Examined, type Finding, fault } from './finding.ts'

const reasonOf = (error: unknown) => {
  if (error instanceof ConfigError) return error.problems.join('; ')
  return error instanceof Error ? error.message || error.name : String(error)
}

async function lookAt({ about, look }: Check, examined: Examined): Promise<Finding[]> {
  try {
    return (await look(examined)).map((found) => ({ about, ...found }))
  } catch (error) {
    return [
      { about, ...fault(`could not be looked at: ${reasonOf(error)}`, 'mend what it says, then look again') },
    ]
  }
}

const settingsFaults = ({ problems }: ConfigError): Finding[] =>
  problems.map((problem) => ({
    about: 'settings',
    ...fault(problem, `set ${problem.split(':')[0]} as docs/operations.md says, and start again`),
  }))

async function lookAtAll(examined: Examined): Promise<Finding[]> {
  const [first, ...rest] = databaseChecks
  const found = await lookAt(first, examined)
  const isThere = found.every(({ level }) => level !== 'fault')
  const checks = isThere
    ? [...rest, ...installationChecks, ...platformChecks, ...peopleChecks]
    : [...installationChecks.filter(({ about }) => about !== 'secrets')]
  for (const check of checks) found.push(...(await lookAt(check, examined)))
  return found
}

/**
 * Walks through the checklist before going live (docs/going-live.md) with the settings of this process. It writes nothing
 * and changes nothing; the platform is asked about an order that nobody made.
 */
export async function examine(source: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    const services = openServices(readConfig(source), pino({ level: 'silent' }), systemRuntime)
    try {
      const { environment } = readEnvironment(source)
      return await lookAtAll({ services, environment, now: services.runtime.now() })
    } finally {
      await closeServices(services)
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return settingsFaults(error)
  }
}
