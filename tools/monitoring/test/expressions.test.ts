import { AlertSeverity, alertSeverities, ConfirmedBy, orderMoves, PaymentChannel } from '@meridian/contracts'
import type { PlatformCall } from '@meridian/payments'
import { describe, expect, test } from 'vitest'
import { NOTIFICATION_PATH, PUSH_PATH } from '../../../apps/api/src/doors/notifications/answer.ts'
import { doors } from '../../../apps/api/src/platform/limits/open-doors.ts'
import document from '../../../openapi.json' with { type: 'json' }
import { exportedLabels } from '../exported-metrics.ts'
import { judgeExpression } from '../judge-expression.ts'
import { dashboardExpressions } from '../read-dashboards.ts'
import { readExpression } from '../read-promql.ts'
import { alertRules, recordingRules } from '../read-rules.ts'

const exported = await exportedLabels()
const expressions = [
  ...alertRules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...recordingRules.map(({ record, expr }) => ({ where: record, expr })),
  ...dashboardExpressions,
]

test('every expression is PromQL and reads what the programs export, labels included', () => {
  expect(expressions.length).toBeGreaterThan(100)
  expect(expressions.flatMap((expression) => judgeExpression(expression, exported))).toEqual([])
})

describe('an expression is refused', () => {
  test.each([
    ['whose metric nobody exports', 'sum(meridian_refunds_total)', 'nobody exports meridian_refunds_total'],
    ['whose label the metric lacks', 'meridian_redis_up{pool="jobs"} == 0', 'meridian_redis_up has no pool'],
    ['that groups by what nothing has', 'sum by (route) (up)', 'nothing has route to group by'],
    [
      'that takes the name of a job for that of a program',
      'sum by (job) (meridian_jobs_dead) > meridian_jobs_total{exported_jobs="x"}',
      'meridian_jobs_total has no exported_jobs',
    ],
    ['that is no PromQL', 'sum by (route (up)', 'is no PromQL'],
  ])('%s', (_what, expr, fault) => {
    expect(judgeExpression({ where: 'here', expr }, exported).join('\n')).toContain(fault)
  })
  test('whose legend names what nothing has', () => {
    const legend = '{{route}}'
    expect(judgeExpression({ where: 'here', expr: 'up', legend }, exported)).toEqual([
      'here: nothing has route to show',
    ])
  })
})

const everyOutcome: Readonly<Record<PlatformCall['outcome'], true>> = {
  ok: true,
  refused: true,
  failed: true,
  unverified: true,
  malformed: true,
  timeout: true,
  unreachable: true,
}

/** What a label of a metric can be; a rule that waits for another word never fires. */
const words: Readonly<Record<string, readonly string[]>> = {
  'meridian_order_moves_total move': ['create', ...Object.keys(orderMoves)],
  'meridian_payment_delay_seconds_count channel': PaymentChannel.options,
  'meridian_payment_delay_seconds_count confirmed_by': ConfirmedBy.options,
  'meridian_alerts_open kind': Object.keys(alertSeverities),
  'meridian_alerts_open severity': AlertSeverity.options,
  'meridian_platform_calls_seconds_count outcome': Object.keys(everyOutcome),
  'meridian_pool_connections pool': [...doors, 'alarms', 'queue'],
  'meridian_pool_connections state': ['used', 'idle', 'waiting'],
  'meridian_database_role role': ['primary', 'standby'],
  'meridian_jobs_total end': ['success', 'error', 'failed'],
}

test('every word that a label is compared with is one that the label can be', () => {
  const compared = expressions.flatMap(({ where, expr }) =>
    readExpression(expr).selectors.flatMap(({ metric, matchers }) =>
      matchers.flatMap(({ label, value }) =>
        value.split('|').map((word) => ({ where, of: `${metric} ${label}`, word })),
      ),
    ),
  )
  const known = compared.filter(({ of, word }) => of in words && /^\w+$/.test(word))
  expect(new Set(known.map(({ of }) => of)).size).toBe(Object.keys(words).length)
  expect(known.filter(({ of, word }) => !words[of]?.includes(word))).toEqual([])
})

/** Paths of the interface as the routes of a program are called, and those that no document names. */
const routes = [
  ...Object.keys(document.paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
  ...[NOTIFICATION_PATH, PUSH_PATH, '/healthz', '/readyz', '/trpc/:path', '/console/exports/:name'],
]

test('every route that is picked out is one of the API', () => {
  const picked = expressions.flatMap(({ where, expr }) =>
    readExpression(expr).selectors.flatMap(({ matchers }) =>
      matchers.filter(({ label }) => label === 'route').map(({ value }) => ({ where, value })),
    ),
  )
  expect(picked.length).toBeGreaterThan(5)
  // Each alternative of the pattern, also those within its brackets, has to find something.
  const lost = picked.filter(({ value }) => {
    const found = routes.filter((route) => new RegExp(`^(?:${value})$`).test(route))
    return found.length < value.split('|').length
  })
  expect(lost).toEqual([])
})
