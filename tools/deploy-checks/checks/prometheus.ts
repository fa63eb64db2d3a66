import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { dashboardExpressions } from '../../monitoring/read-dashboards.ts'
import { alertRules, prometheusFolder } from '../../monitoring/read-rules.ts'
import type { DeployCheck } from '../deploy-check.ts'

const runFile = promisify(execFile)
const alertmanagerFile = join(prometheusFolder, '../alertmanager/alertmanager.yml')

/** Runs a program in the folder of Prometheus's files; answers what it wrote to stdout. */
async function ask(program: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await runFile(program, args, { cwd: prometheusFolder })
    return stdout
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error && 'stderr' in error ? error : null
    throw new Error(said ? `${String(said.stdout)}${String(said.stderr)}`.trim() : String(error))
  }
}

const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(join(prometheusFolder, folder)))
    .filter((file) => file.endsWith('.yml'))
    .sort()
    .map((file) => join(folder, file))

/** Expressions as a file of recording rules, since promtool checks no bare ones. */
async function checkExpressions(expressions: readonly string[]): Promise<void> {
  const rules = expressions.map((expr, index) => ({ record: `dashboards:expression:${index}`, expr }))
  const folder = await mkdtemp(join(tmpdir(), 'meridian-dashboards-'))
  try {
    const file = join(folder, 'expressions.yml')
    await writeFile(file, stringify({ groups: [{ name: 'dashboards', rules }] }))
    const said = await ask('promtool', ['check', 'rules', file])
    if (!said.includes(`SUCCESS: ${expressions.length} rules found`)) throw new Error(said)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const receivers = { critical: 'night', warning: 'day', none: 'deadman' } as const

/** Whether each alert arrives where its severity says. */
async function checkRoutes(): Promise<void> {
  for (const { alert, labels } of alertRules) {
    const given = Object.entries({ alertname: alert, ...labels }).map(([label, value]) => `${label}=${value}`)
    const said = await ask('amtool', [
      'config',
      'routes',
      'test',
      `--config.file=${alertmanagerFile}`,
      ...given,
    ])
    const wanted = receivers[labels.severity]
    if (said.trim() !== wanted)
      throw new Error(`${alert} (${labels.severity}) goes to ${said.trim()}, not to ${wanted}`)
  }
}

/** What the programs of Prometheus say of `deploy/prometheus`, `deploy/alertmanager` and `deploy/grafana`. */
export const prometheusChecks: readonly DeployCheck[] = [
  {
    name: 'Prometheus takes its configuration and rules',
    programs: ['promtool'],
    run: async () => {
      await ask('promtool', ['check', 'config', 'prometheus.yml'])
      await ask('promtool', ['check', 'rules', ...(await filesOf('rules'))])
    },
  },
  {
    name: 'each Prometheus alert fires when it should, and not otherwise',
    programs: ['promtool'],
    run: async () => void (await ask('promtool', ['test', 'rules', ...(await filesOf('tests'))])),
  },
  {
    name: 'Prometheus takes every expression of the dashboards',
    programs: ['promtool'],
    run: () => checkExpressions(dashboardExpressions.map(({ expr }) => expr)),
  },
  {
    name: 'Alertmanager takes its configuration',
    programs: ['amtool'],
    run: async () => void (await ask('amtool', ['check-config', alertmanagerFile])),
  },
  { name: 'each Prometheus alert goes where its severity says', programs: ['amtool'], run: checkRoutes },
]
