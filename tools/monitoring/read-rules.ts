import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
/** The files of Prometheus, from which the rules are read. */
export const prometheusFolder = join(root, 'deploy/prometheus')
export const dashboardFolder = join(root, 'deploy/grafana/dashboards')
export const runbookFolder = join(root, 'docs/runbook')

const Alert = z.strictObject({
  alert: z.string().regex(/^[a-z_]+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.looseObject({ severity: z.enum(['critical', 'warning', 'none']), kind: z.string().optional() }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook_url: z.string() }),
})
export type Alert = z.infer<typeof Alert>

const Recording = z.strictObject({ record: z.string(), expr: z.string() })

const RuleFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(z.union([Alert, Recording])) })),
})

const ruleFiles = readdirSync(join(prometheusFolder, 'rules')).sort()
const rules = ruleFiles.flatMap((file) =>
  RuleFile.parse(parse(readFileSync(join(prometheusFolder, 'rules', file), 'utf8'))).groups.flatMap(
    (group) => group.rules,
  ),
)

/** Every alert of `deploy/prometheus/rules`; several may have one name. */
export const alertRules: readonly Alert[] = rules.flatMap((rule) => ('alert' in rule ? [rule] : []))
/** Every recording rule of `deploy/prometheus/rules`. */
export const recordingRules: readonly z.infer<typeof Recording>[] = rules.flatMap((rule) =>
  'record' in rule ? [rule] : [],
)

const RuleTests = z.looseObject({
  tests: z.array(
    z.looseObject({
      name: z.string(),
      alert_rule_test: z.array(
        z.looseObject({
          alertname: z.string(),
          exp_alerts: z.array(z.looseObject({ exp_labels: z.record(z.string(), z.string()) })),
        }),
      ),
    }),
  ),
})

/** What `promtool test rules` expects, case by case. */
export const ruleCases = readdirSync(join(prometheusFolder, 'tests')).flatMap((file) =>
  RuleTests.parse(parse(readFileSync(join(prometheusFolder, 'tests', file), 'utf8'))).tests.flatMap((test) =>
    test.alert_rule_test.map(({ alertname, exp_alerts }) => ({
      alert: alertname,
      fired: exp_alerts.map(({ exp_labels }) => exp_labels),
    })),
  ),
)
