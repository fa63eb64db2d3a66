import type { ExportedLabels } from './exported-metrics.ts'
import type { Expression } from './read-dashboards.ts'
import { readExpression } from './read-promql.ts'

/** What of an expression no program exports, or no grammar takes; empty where all is well. */
export function judgeExpression(
  { where, expr, legend = '' }: Expression,
  exported: ExportedLabels,
): string[] {
  const { faults, selectors, groupings } = readExpression(expr)
  const labelsOf = (metric: string) => exported.get(metric) ?? new Set()
  const unknown = selectors.filter(({ metric }) => !exported.has(metric))
  const known = selectors.filter(({ metric }) => exported.has(metric))
  const mismatched = known.flatMap(({ metric, matchers }) =>
    matchers
      .filter(({ label }) => !labelsOf(metric).has(label))
      .map(({ label }) => `${metric} has no ${label}`),
  )
  const ungrouped = groupings.flatMap(({ labels, of }) =>
    labels
      .filter((label) => !of.some(({ metric }) => labelsOf(metric).has(label)))
      .map((label) => `nothing has ${label} to group by`),
  )
  const unnamed = [...legend.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, label = '']) => label)
    .filter((label) => !selectors.some(({ metric }) => labelsOf(metric).has(label)))
    .map((label) => `nothing has ${label} to show`)
  const said = [
    ...faults,
    ...unknown.map(({ metric }) => `nobody exports ${metric}`),
    ...mismatched,
    ...ungrouped,
    ...unnamed,
    ...(selectors.length === 0 && expr !== 'vector(1)' ? ['reads nothing'] : []),
  ]
  return said.map((fault) => `${where}: ${fault}`)
}
