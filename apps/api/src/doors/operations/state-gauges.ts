import { setTimeout as delay } from 'node:timers/promises'
import { type AlertSeverity, alertSeverities } from '@meridian/contracts'
import type { Pool } from '@meridian/db'
import { Gauge, type Registry } from 'prom-client'
import { type Figures, readFigures } from '../../monitoring/read-figures.ts'
import type { Services } from '../../services.ts'

const dayMs = 86_400_000
/** So long figures of the database are good for every scrape, and so long a scrape waits for new ones. */
const freshForMs = 5_000
const scrapeWaitsMs = 3_000

/** One reading at a time, whoever asks, and none while the last one is fresh. Null where it failed or takes too long. */
function sharedReading(read: () => Promise<Figures>): () => Promise<Figures | null> {
  let reading: Promise<Figures | null> | null = null
  let startedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (reading === null || performance.now() - startedAt >= freshForMs) {
      startedAt = performance.now()
      const late = delay(scrapeWaitsMs, null, { ref: false })
      reading = Promise.race([read().catch(() => null), late])
    }
    return reading
  }
}

type Setting = { labels?: Record<string, string>; value: number }

/** A gauge that is made anew at every scrape: what cannot be read is absent, never old. */
function gaugeIn(registry: Registry, help: string, settings: () => Promise<Setting[]> | Setting[]) {
  return (name: string, labelNames: string[] = []): void => {
    new Gauge({
      name: `meridian_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const all = await settings()
        this.reset()
        if (labelNames.length === 0 && all.length === 0) this.remove()
        for (const { labels = {}, value } of all) this.set(labels, value)
      },
    })
  }
}

type Named = [name: string, help: string, value: (figures: Figures) => number]

const numbers: readonly Named[] = [
  ['jobs_due', 'Jobs that are due and not taken', ({ jobsDue }) => jobsDue],
  [
    'jobs_oldest_due_seconds',
    'How long the oldest due job waits',
    ({ jobsOldestDueSeconds }) => jobsOldestDueSeconds,
  ],
  ['jobs_dead', 'Jobs that gave up', ({ jobsDead }) => jobsDead],
  ['workers_alive', 'Workers seen within a minute, in all processes', ({ workersAlive }) => workersAlive],
  ['orders_parked', 'Orders that wait for a decision', ({ ordersParked }) => ordersParked],
  [
    'frozen_fen',
    'Fen of paid orders whose shipping information the platform lacks',
    ({ frozenFen }) => frozenFen,
  ],
  [
    'outbox_oldest_seconds',
    'How old the oldest event is that nobody was sent once',
    ({ outboxOldestSeconds }) => outboxOldestSeconds,
  ],
]

/** Every kind, also those of which none is open; what an alert says of itself beats its kind. */
function alertSettings({ openAlerts }: Figures): Setting[] {
  const counts = new Map<string, Setting>()
  const add = (kind: string, severity: AlertSeverity, count: number) => {
    const key = `${kind} ${severity}`
    const value = (counts.get(key)?.value ?? 0) + count
    counts.set(key, { labels: { kind, severity }, value })
  }
  for (const [kind, severity] of Object.entries(alertSeverities)) add(kind, severity, 0)
  for (const { kind, severity, count } of openAlerts) add(kind, severity, count)
  return [...counts.values()]
}

function keySettings({ payments, runtime, config }: Services, figures: Figures | null): Setting[] {
  const ends = (payments?.keyReport().keys ?? []).map(({ id, expiresAt }) => ({
    key: `platform-certificate ${id}`,
    expiresAt,
  }))
  const key = `merchant-certificate ${config.payments?.merchantSerialNo ?? ''}`
  return [...ends, { key, expiresAt: figures?.merchantCertificateEndsAt ?? null }].flatMap(
    ({ key, expiresAt }) =>
      expiresAt ? [{ labels: { key }, value: (expiresAt.getTime() - runtime.now().getTime()) / dayMs }] : [],
  )
}

const poolSettings = (pools: ReadonlyMap<string, Pool>): Setting[] =>
  [...pools].flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
    { labels: { pool, state: 'used' }, value: totalCount - idleCount },
    { labels: { pool, state: 'idle' }, value: idleCount },
    { labels: { pool, state: 'waiting' }, value: waitingCount },
  ])

/** What holds at the moment of a scrape: of this process by itself, of all of them by the database. */
export function showState(registry: Registry, pools: ReadonlyMap<string, Pool>) {
  return (services: Services): void => {
    const { config, payments, limits, alarmPool, replica } = services
    const figures = sharedReading(() => readFigures(alarmPool, config.payments?.merchantSerialNo ?? null))
    const of = async (settings: (figures: Figures) => Setting[]) => {
      const read = await figures()
      return read ? settings(read) : []
    }
    // The first to be read: the figures below take a connection themselves, which is not to be counted as waiting.
    gaugeIn(registry, 'Connections to the database by pool', () => poolSettings(pools))('pool_connections', [
      'pool',
      'state',
    ])
    for (const [name, help, value] of numbers)
      gaugeIn(registry, help, () => of((read) => [{ value: value(read) }]))(name)
    gaugeIn(registry, 'Open alerts', () => of(alertSettings))('alerts_open', ['kind', 'severity'])
    gaugeIn(registry, 'Days until a key ends', async () => keySettings(services, await figures()))(
      'key_days_left',
      ['key'],
    )
    gaugeIn(registry, 'Whether this connection of the database is a primary or a standby', () =>
      of(({ isStandby }) => [
        { labels: { role: 'primary' }, value: isStandby ? 0 : 1 },
        { labels: { role: 'standby' }, value: isStandby ? 1 : 0 },
        ...(replica ? [{ labels: { role: 'replica' }, value: replica.isFresh() ? 1 : 0 }] : []),
      ]),
    )('database_role', ['role'])
    gaugeIn(registry, 'Whether Redis shares the limits; absent where none is configured', () => {
      const { configured, up } = limits.sharing()
      return configured ? [{ value: up ? 1 : 0 }] : []
    })('redis_up')
    gaugeIn(registry, "The payment platform's clock minus ours, as last seen; absent before", () => {
      const skewMs = payments?.clockSkewMs() ?? null
      return skewMs === null ? [] : [{ value: skewMs / 1000 }]
    })('clock_skew_seconds')
    gaugeIn(registry, 'What runs', () => [
      {
        labels: {
          version: config.MERIDIAN_VERSION,
          commit: config.MERIDIAN_COMMIT,
          node: process.version,
          role: config.MERIDIAN_ROLE,
          platform: config.platform,
        },
        value: 1,
      },
    ])('build_info', ['version', 'commit', 'node', 'role', 'platform'])
  }
}
