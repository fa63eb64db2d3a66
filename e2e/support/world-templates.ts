import { randomBytes } from 'node:crypto'
import { startTestCluster } from '@meridian/db/testing'
import { allDone } from './all-done.ts'
import { askAt } from './ask-at.ts'
import { hireOperator } from './hire-operator.ts'
import { runToEnd } from './start-process.ts'

export const operatorNames = ['owner', 'finance', 'operator', 'viewer'] as const
export type OperatorName = (typeof operatorNames)[number]

/** A migrated database whose operators are hired, and what they sign in with: each world is a clone of such a one. */
export type WorldTemplate = Hired & { address: string }

type Hired = {
  hired: Record<OperatorName, { email: string; password: string }>
  /** What the secrets in its rows are sealed with. */
  dataKey: string
  /** The secrets in the operators' authenticators; null until they were set up in a first world. */
  authenticators: Authenticators | null
}

export type Authenticators = Record<OperatorName, string | null>

/** Without and with the sandbox's samples, which a shop has where jobs run. */
type WorldTemplates = Hired & { addresses: Record<'bare' | 'samples', string> }

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
    return cluster.address
  }
  try {
    const [bare, samples] = await allDone([start([]), start(['--samples'])])
    const hired = await hireEverybody(bare)
    await copyOperators(bare, samples)
    const dataKey = randomBytes(36).toString('base64url')
    announceTemplates({ addresses: { bare, samples }, hired, dataKey, authenticators: null })
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** Tells the processes that build worlds where the templates are. */
function announceTemplates(templates: WorldTemplates): void {
  process.env[TEMPLATES] = JSON.stringify(templates)
}

/** @throws Error in a process that was started by none that has called `startTemplates` */
function announcedTemplates(): WorldTemplates {
  const described = process.env[TEMPLATES]
  if (described === undefined) throw new Error('No world can be built before startTemplates')
  return JSON.parse(described)
}

/** @throws Error in a process that was started by none that has called `startTemplates` */
export function templateOf(kind: keyof WorldTemplates['addresses']): WorldTemplate {
  const { addresses, ...hired } = announcedTemplates()
  return { ...hired, address: addresses[kind] }
}

/** A world whose operators have their authenticators. */
type EnrolledWorld = {
  databaseUrl: string
  operators: Record<OperatorName, { authenticator: string | null }>
}

/** Gives the authenticators that were set up in a world to all that are built after it. */
export async function shareAuthenticators({ databaseUrl, operators }: EnrolledWorld): Promise<void> {
  const templates = announcedTemplates()
  for (const address of Object.values(templates.addresses)) await copyOperators(databaseUrl, address)
  const secretOf = (name: OperatorName) => operators[name].authenticator
  const authenticators = {
    ...{ owner: secretOf('owner'), finance: secretOf('finance') },
    ...{ operator: secretOf('operator'), viewer: secretOf('viewer') },
  }
  announceTemplates({ ...templates, authenticators })
}

/** What setting an authenticator up changes of an operator. */
const authenticatorColumns = ['sealed_totp', 'totp_confirmed_at', 'factor_trusted_from']

/** As if the operators of one database had always worked in the other, with the authenticators of today. */
async function copyOperators(from: string, to: string): Promise<void> {
  const changed = authenticatorColumns.map((name) => `${name} = EXCLUDED.${name}`).join(', ')
  const conflicts = { operators: `(id) DO UPDATE SET ${changed}`, recovery_codes: 'DO NOTHING' }
  for (const [table, conflict] of Object.entries(conflicts)) {
    const [copied] = await askAt<{ rows: string | null }>(
      from,
      `SELECT jsonb_agg(r)::text AS rows FROM ${table} r`,
    )
    await askAt(
      to,
      `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) ON CONFLICT ${conflict}`,
      [copied?.rows ?? '[]'],
    )
  }
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
