import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricsServer } from '../../src/doors/operations/metrics-door.ts'
import { useTestWorld } from '../world/use-opened.ts'

/** The names are contract: dashboards and alert rules of operators are built on them. */
const names = {
  meridian_http_request_seconds: 'histogram',
  meridian_payment_notifications_total: 'counter',
  meridian_invariant_violations: 'gauge',
  meridian_jobs_total: 'counter',
  meridian_platform_calls_seconds: 'histogram',
  meridian_order_moves_total: 'counter',
  meridian_payment_delay_seconds: 'histogram',
  meridian_notifications_rejected_total: 'counter',
  meridian_pushes_total: 'counter',
  meridian_jobs_due: 'gauge',
  meridian_jobs_oldest_due_seconds: 'gauge',
  meridian_jobs_dead: 'gauge',
  meridian_job_seconds: 'histogram',
  meridian_workers_alive: 'gauge',
  meridian_alerts_open: 'gauge',
  meridian_orders_parked: 'gauge',
  meridian_frozen_fen: 'gauge',
  meridian_key_days_left: 'gauge',
  meridian_clock_skew_seconds: 'gauge',
  meridian_pool_connections: 'gauge',
  meridian_outbox_oldest_seconds: 'gauge',
  meridian_redis_up: 'gauge',
  meridian_database_role: 'gauge',
  meridian_build_info: 'gauge',
} as const

const world = useTestWorld({ jobs: true })
let metrics: ReturnType<typeof metricsServer>
beforeAll(async () => {
  metrics = metricsServer(world.metrics)
  await once(metrics.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  metrics.close()
})

async function scrape(): Promise<string> {
  const address = metrics.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}

/** The sample of this name and these labels; null where there is none. */
const sampleOf = (text: string, sample: string): number | null => {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
  return line ? Number(line.slice(sample.length + 1)) : null
}

describe('metrics', () => {
  test('one scrape names every metric of the contract with its type', async () => {
    const text = await scrape()
    for (const [name, type] of Object.entries(names)) expect(text).toContain(`# TYPE ${name} ${type}\n`)
  })

  test('what alert rules count is there before it happens', async () => {
    const text = await scrape()
    for (const sample of [
      'meridian_order_moves_total{move="create",channel="virtual"}',
      'meridian_order_moves_total{move="refund",channel="jsapi"}',
      'meridian_payment_delay_seconds_count{confirmed_by="bill",channel="virtual"}',
      'meridian_payment_notifications_total{status="204"}',
      'meridian_payment_notifications_total{status="500"}',
    ])
      expect(sampleOf(text, sample), sample).toBe(0)
  })

  test('a purchase, its payment and a refused delivery are counted, and the jobs that follow are measured', async () => {
    const phone = await world.phone()
    const purchase = await phone.buys()
    const before = await scrape()
    await phone.pays(purchase)
    const forged = world.platform.notification(purchase.order.out_trade_no, { wrongKey: true })
    await world.platform.deliver(forged)
    const after = await scrape()
    const grown = (sample: string) => (sampleOf(after, sample) ?? 0) - (sampleOf(before, sample) ?? 0)
    expect(grown('meridian_order_moves_total{move="pay",channel="jsapi"}')).toBe(1)
    expect(sampleOf(after, 'meridian_order_moves_total{move="prepare",channel="jsapi"}')).toBeGreaterThan(0)
    expect(grown('meridian_payment_delay_seconds_count{confirmed_by="notification",channel="jsapi"}')).toBe(1)
    expect(grown('meridian_notifications_rejected_total{reason="bad_signature"}')).toBe(1)
    expect(sampleOf(after, 'meridian_platform_calls_seconds_count{endpoint="prepay",outcome="ok"}')).toBe(1)
    expect(sampleOf(after, 'meridian_platform_calls_seconds_count{endpoint="login",outcome="ok"}')).toBe(1)
    await expect
      .poll(async () => sampleOf(await scrape(), 'meridian_job_seconds_count{job="follow_payments"}'))
      .toBe(1)
  })

  test('the state of the database is that of the last seconds, and what nobody knows is absent', async () => {
    await world.query(
      `INSERT INTO alerts (kind, subject) VALUES ('order_unknown', 'M1'), ('order_unknown', 'M2')`,
    )
    let text = ''
    await expect
      .poll(async () => {
        text = await scrape()
        return sampleOf(text, 'meridian_alerts_open{kind="order_unknown",severity="critical"}')
      })
      .toBe(2)
    // This scrape has read figures anew, by the connection for alarms, which it does not count as waiting.
    expect(sampleOf(text, 'meridian_pool_connections{pool="alarms",state="waiting"}')).toBe(0)
    expect(sampleOf(text, 'meridian_alerts_open{kind="job_dead",severity="critical"}')).toBe(0)
    expect(sampleOf(text, 'meridian_workers_alive')).toBeGreaterThan(0)
    expect(sampleOf(text, 'meridian_jobs_dead')).toBe(0)
    expect(sampleOf(text, 'meridian_database_role{role="primary"}')).toBe(1)
    expect(sampleOf(text, 'meridian_redis_up')).toBe(null)
    expect(text).toMatch(/^meridian_pool_connections\{pool="queue",state="(used|idle|waiting)"\} \d+$/m)
    expect(text).toMatch(
      /^meridian_build_info\{version="[^"]+",commit="[^"]+",node="v[^"]+",role="all",platform="sandbox"\} 1$/m,
    )
  })
})
