import { createServer } from 'node:http'
import { systemRuntime } from '@meridian/payments'
import { pino } from 'pino'
import type { Registry } from 'prom-client'
import { measureConsole } from '../../apps/admin/src/server/http-servers.ts'
import { readConfig } from '../../apps/api/src/config.ts'
import { openMetrics } from '../../apps/api/src/doors/operations/metrics-door.ts'
import { closeServices, openServices } from '../../apps/api/src/services.ts'
import { readExpression } from './read-promql.ts'
import { recordingRules } from './read-rules.ts'

/** The labels of each series that Prometheus has, by the name of the series. */
export type ExportedLabels = ReadonlyMap<string, ReadonlySet<string>>

/** Labels that Prometheus gives to what it reads; a metric's own label of that name is called `exported_…`. */
const targetLabels = ['job', 'instance']
const asScraped = (label: string) => (targetLabels.includes(label) ? `exported_${label}` : label)

/** A histogram and a summary are read as three kinds of series. */
const seriesOf = (name: string, type: string): { name: string; more: string[] }[] =>
  type === 'histogram'
    ? [
        { name: `${name}_bucket`, more: ['le'] },
        { name: `${name}_sum`, more: [] },
        { name: `${name}_count`, more: [] },
      ]
    : [{ name, more: [] }]

/** What the registry of a program holds, whether or not it has a value yet. */
function describe(registry: Registry): { name: string; type: string; labels: string[] }[] {
  return registry.getMetricsAsArray().map((metric) => ({
    name: metric.name,
    type: String(metric.type),
    labels: 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [],
  }))
}

/** The registries that the programs build. Nothing is connected to: the addresses lead nowhere. */
async function openRegistries(): Promise<Registry[]> {
  const key = 'monitoring-monitoring-monitoring'
  const config = readConfig({
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    JWT_SECRET: key,
    AUTH_SECRET: key,
    DATA_KEY: key,
  })
  const services = openServices(config, pino({ level: 'silent' }), systemRuntime)
  const metrics = openMetrics()
  metrics.showServices(services)
  await closeServices(services)
  return [metrics.registry, measureConsole(createServer(), { version: 'none', commit: 'none' })]
}

/** Every series that the rules and dashboards may read: of the programs, of Prometheus itself, and of recording rules. */
export async function exportedLabels(): Promise<ExportedLabels> {
  const labels = new Map<string, Set<string>>([
    ['up', new Set(targetLabels)],
    ['ALERTS', new Set(['alertname', 'alertstate', 'severity', 'kind'])],
  ])
  for (const registry of await openRegistries())
    for (const metric of describe(registry))
      for (const { name, more } of seriesOf(metric.name, metric.type))
        labels.set(
          name,
          new Set([...(labels.get(name) ?? []), ...metric.labels.map(asScraped), ...more, ...targetLabels]),
        )
  for (const { record, expr } of recordingRules) {
    const [by] = readExpression(expr).groupings
    labels.set(record, new Set((by?.labels ?? []).filter((label) => label !== 'le')))
  }
  return labels
}
