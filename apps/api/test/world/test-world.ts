import { randomUUID } from 'node:crypto'
import { openPool } from '@meridian/db'
import { moveClock } from '@meridian/db/clock'
import { cloneDatabase, programSettings } from '@meridian/db/testing'
import { type Runtime, systemRuntime } from '@meridian/payments'
import {
  type MerchantSettings,
  type Platform,
  type PlatformOptions,
  startPlatform,
} from '@meridian/payments/testing'
import { claimPort } from '@meridian/process'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { startJobs } from '../../src/doors/jobs/job-door.ts'
import { type Metrics, openMetrics } from '../../src/doors/operations/metrics-door.ts'
import { openLog } from '../../src/platform/log.ts'
import type { Clock } from '../../src/platform/time/business-time.ts'
import { closeServices, openServices, type Services } from '../../src/services.ts'
import { checkPooler } from '../../src/startup/check-pooler.ts'
import { judgeOrigin } from './judged-origins.ts'
import { Phone } from './phone.ts'
import { platformKeys } from './platform-keys.ts'

export type WorldOptions = {
  platform?: PlatformOptions
  /** Environment variables beside the ones a test needs. */
  environment?: Record<string, string>
  payments?: 'on' | 'off'
  /** Virtual payment beside it; as payments where it is absent. */
  virtual?: 'on' | 'off'
  /** What the merchant's settings say other than usual. */
  merchant?: Partial<MerchantSettings>
  jobs?: boolean
  runtime?: Partial<Runtime>
  /** Takes every line of the log, as it would be written. */
  log?: (line: string) => void
  /** Leads the API to its database by another address, through a gate. */
  through?: (databaseUrl: string) => Promise<string>
  /** The template of another server than that of all tests. */
  template?: string
}

const secrets = {
  NODE_ENV: 'test',
  JWT_SECRET: 'test-jwt-secret-test-jwt-secret-0123456789',
  AUTH_SECRET: 'test-auth-secret-test-auth-secret-01234567',
  DATA_KEY: 'test-data-key-test-data-key-test-data-key-0',
  LOG_LEVEL: 'silent',
  RATE_LIMITS: 'login=0,purchase=0,sync=0,bind=0,reports=0,user=0,anonymous=0',
}

export type Span = { days?: number; hours?: number; minutes?: number; seconds?: number }

const msOf = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Span) =>
  (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000

export type TestWorld = {
  url: string
  databaseUrl: string
  /** The database itself, whatever gate the API is led through. */
  behindGate: string
  config: Config
  services: Services
  /** The clocks of all programs of this world, which follow the one of its database. */
  clocks: Set<Clock>
  app: FastifyInstance
  metrics: Metrics
  platform: Platform
  /** A new person with a phone, signed in. */
  phone: (openid?: string) => Promise<Phone>
  /** Lets time pass, here and at the platform: one clock of database, API and platform. No row is rewritten. */
  passTime: (time: Span) => Promise<void>
  /** As the owner of the tables: what a test may do and the API may not. */
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>
  [Symbol.asyncDispose]: () => Promise<void>
}

/** The environment an API needs to work with this platform and database. */
export function environmentFor(
  databaseUrl: string,
  port: number,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    ...secrets,
    ...programSettings(databaseUrl),
    HOST: '127.0.0.1',
    PORT: String(port),
    // More than the usual ten: tests make several work of one door wait at once.
    DATABASE_POOL_SIZE: '16',
    METRICS_PORT: '0',
    DRAIN_SECONDS: '0',
    ...more,
  }
}

export function configFor(
  platform: Platform,
  environment: Record<string, string>,
  options: WorldOptions,
): Config {
  const { appSecret, apiBaseUrl, virtual, ...settings } = platform.settings({
    notifyUrl: `http://127.0.0.1:${environment['PORT']}/api/v1/payment/notify`,
    ...options.merchant,
  })
  const config = readConfig({
    ...environment,
    WECHAT_APP_ID: settings.appId,
    WECHAT_APP_SECRET: appSecret,
    WECHAT_API_BASE_URL: apiBaseUrl,
  })
  const { payments = 'on', virtual: asked = payments } = options
  return {
    ...config,
    ...(payments === 'on' && { payments: settings }),
    ...(asked === 'on' && { virtual }),
    ...([payments, asked].includes('on') && { platform: 'sandbox' as const }),
  }
}

/** Shows the log line of an internal error (500) in the output of the tests: the answer does not say the reason. */
const tellBugs = (line: string): void => {
  if (line.includes('"unexpected error"')) process.stderr.write(line)
}

/** A database of its own, the app on a port, and the platform that really signs. */
export async function openTestWorld(options: WorldOptions = {}): Promise<TestWorld> {
  const [database, platform, { port, release }] = await Promise.all([
    cloneDatabase(options.template),
    startPlatform({ keys: platformKeys(), ...options.platform }),
    claimPort(),
  ])
  const databaseUrl = (await options.through?.(database.databaseUrl)) ?? database.databaseUrl
  const environment = environmentFor(databaseUrl, port, options.environment)
  const config = configFor(platform, environment, options)
  const services = openServices(
    config,
    options.log
      ? openLog('info', { destination: { write: options.log } })
      : pino({ level: 'error' }, { write: tellBugs }),
    {
      ...systemRuntime,
      ...options.runtime,
    },
  )
  // As the programs do at their start: behind a pooler nothing may be set for a session.
  if (config.DATABASE_DIRECT_URL !== undefined) await checkPooler(services, () => undefined)
  const owner = openPool(database.databaseUrl, { maxConnections: 2 })
  const metrics = openMetrics()
  const app = await buildApp(services, { readiness: { draining: false }, metrics })
  await app.listen({ port, host: '127.0.0.1' })
  const jobs = options.jobs ? await startJobs(services, metrics) : null
  const clocks = new Set([services.clock])
  const url = `http://127.0.0.1:${port}`
  const reader = { url: '/api/v1/openapi.json', remoteAddress: '192.0.2.1' }
  judgeOrigin(url, async () => (await app.inject(reader)).json())
  return {
    url,
    databaseUrl,
    behindGate: database.databaseUrl,
    config,
    services,
    clocks,
    app,
    metrics,
    platform,
    passTime: (time) =>
      platform.moveClock(msOf(time), async () => {
        await moveClock(database.databaseUrl, { byMs: msOf(time) })
        await Promise.all([...clocks].map((clock) => clock.read()))
      }),
    phone: (openid = `o${randomUUID()}`) => Phone.logIn(url, platform, openid),
    query: async (sql, values = []) => (await owner.query(sql, values)).rows,
    [Symbol.asyncDispose]: async () => {
      await jobs?.stop()
      await app.close()
      await closeServices(services)
      await owner.end()
      await platform.stop()
      await database.drop()
      release()
    },
  }
}
