import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { dashboardFolder } from './read-rules.ts'

const Position = z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() })
const Target = z.object({ expr: z.string(), legendFormat: z.string() })
const Panel = z.object({
  id: z.int(),
  type: z.enum(['row', 'stat', 'timeseries']),
  title: z.string().min(1),
  description: z.string().optional(),
  gridPos: Position,
  targets: z.array(Target).optional(),
})
const Variable = z.object({ name: z.string(), query: z.string() })

/** What of a dashboard is judged beyond the types of its builders. */
const Dashboard = z.object({
  uid: z.string(),
  panels: z.array(Panel),
  templating: z.object({ list: z.array(Variable) }),
  annotations: z.object({ list: z.array(z.object({ name: z.string(), expr: z.string() })) }),
})
type Dashboard = z.infer<typeof Dashboard>

/** The dashboards as they lie in `deploy/grafana/dashboards`, by the name of the file. */
export const dashboards: readonly (Dashboard & { file: string })[] = readdirSync(dashboardFolder)
  .sort()
  .map((file) => ({
    file,
    ...Dashboard.parse(JSON.parse(readFileSync(join(dashboardFolder, file), 'utf8'))),
  }))

export type Expression = { where: string; expr: string; legend?: string }

/** What Grafana puts in place of its variables before Prometheus reads it; strings keep theirs. */
const asPrometheusReads = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h')

/** `label_values(up{…}, job)` asks Prometheus for the labels of its first argument. */
const selectorOf = (query: string): string => query.replace(/^label_values\((.*), \w+\)$/, '$1')

/** Every expression of every dashboard, as Prometheus gets it. */
export const dashboardExpressions: readonly Expression[] = dashboards.flatMap(
  ({ file, panels, templating, annotations }) => [
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({
        where: `${file}, ${title}`,
        expr: asPrometheusReads(expr),
        legend: legendFormat,
      })),
    ),
    ...annotations.list.map(({ name, expr }) => ({
      where: `${file}, mark ${name}`,
      expr: asPrometheusReads(expr),
    })),
    ...templating.list
      .filter(({ query }) => query.startsWith('label_values'))
      .map(({ name, query }) => ({ where: `${file}, variable ${name}`, expr: selectorOf(query) })),
  ],
)
