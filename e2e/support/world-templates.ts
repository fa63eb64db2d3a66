import { startTestCluster } from '@meridian/db/testing'
import { allDone } from './all-done.ts'
import { hireOperator } from './hire-operator.ts'
import { runToEnd } from './start-process.ts'

export const operatorNames = ['owner', 'finance', 'operator', 'viewer'] as const
export type OperatorName = (typeof operatorNames)[number]

/** A migrated database whose operators are hired, and what they sign in with: each world is a clone of such a one. */
export type WorldTemplate = {
  address: string
  hired: Record<OperatorName, { email: string; password: string }>
}

/** Without and with the sandbox's samples, which a shop has where jobs run. */
type WorldTemplates = Record<'bare' | 'samples', WorldTemplate>

const TEMPLATES = 'MERIDIAN_E2E_TEMPLATES'

/**
 * Migrates and hires once what every world would otherwise do for itself, and tells the processes that build worlds.
 * Answers what stops the servers.
 */
export async function startTemplates(): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    await allDone(stops.map((one) => one()))
  }
  const start = async (args: string[]) => {
    const cluster = await startTestCluster({ prepare: (url) => migrate(url, args) })
    stops.push(cluster.stop)
    return { address: cluster.address, hired: await hireEverybody(cluster.address) }
  }
  try {
    const [bare, samples] = await allDone([start([]), start(['--samples'])])
    const templates: WorldTemplates = { bare, samples }
    process.env[TEMPLATES] = JSON.stringify(templates)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** @throws Error in a process that was started by none that has called `startTemplates` */
export function templateOf(kind: keyof WorldTemplates): WorldTemplate {
  const described = process.env[TEMPLATES]
  if (described === undefined) throw new Error('No world can be built before startTemplates')
  const templates: WorldTemplates = JSON.parse(described)
  return templates[kind]
}

async function migrate(databaseUrl: string, args: string[]): Promise<void> {
  await runToEnd('apps/api/dist/commands/migrate.js', { args, env: { DATABASE_URL: databaseUrl } })
}

async function hireEverybody(databaseUrl: string): Promise<WorldTemplate['hired']> {
  const hire = (role: OperatorName) => hireOperator({ email: `${role}@meridian.test`, role, databaseUrl })
  const [owner, finance, operator, viewer] = await allDone([
    hire('owner'),
    hire('finance'),
    hire('operator'),
    hire('viewer'),
  ])
  return { owner, finance, operator, viewer }
}
