import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstSettings } from '@meridian/contracts'
import { migrate, seedDefaults } from '@meridian/db'
import { runtimeRole } from '@meridian/db/runtime-role'
import { ensureEmbedded } from '@meridian/embedded-postgres'
import { systemRuntime } from '@meridian/payments'
import { type Platform, startPlatform } from '@meridian/payments/testing'
import { runMigrations } from 'graphile-worker'
import { pino } from 'pino'
import { readConfig } from '../../apps/api/src/config.ts'
import { openServices, type Services } from '../../apps/api/src/services.ts'
import { paymentEnvironment } from '../../apps/api/test/world/api-process.ts'
import { type History, plantHistory } from './plant-history.ts'
import { postmasterOf } from './processor-time.ts'

export type BenchWorld = {
  history: History
  /** The API's own services, opened in this process. */
  services: Services
  platform: Platform
  /** What the API is configured with, but for its ports. */
  environment: Record<string, string>
  /** The platform's public key. */
  keyFile: string
  /** Where programs may write what they have to say. */
  folder: string
  /** The process of the database server. */
  postmaster: number
  [Symbol.asyncDispose]: () => Promise<void>
}

const limits = ['login', 'purchase', 'sync', 'bind', 'reports', 'user', 'anonymous', 'integration']

const settings = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  METRICS_PORT: '0',
  DRAIN_SECONDS: '0',
  MERIDIAN_ROLE: 'api',
  JWT_SECRET: 'bench-jwt-secret-bench-jwt-secret-0123456789',
  AUTH_SECRET: 'bench-auth-secret-bench-auth-secret-01234567',
  DATA_KEY: 'bench-data-key-bench-data-key-bench-data-key',
  // Limits are counted as always, but the one client of a bench must not meet them.
  RATE_LIMITS: limits.map((name) => `${name}=100000000`).join(','),
}

export type WorldOptions = {
  orders: number
  /** A folder that keeps the planted database for the next run; without, everything is thrown away. */
  keepIn: string | null
}

/** A PostgreSQL of our own with all its ordinary settings, the past planted in it, and a platform that really signs. */
export async function openBenchWorld({ orders, keepIn }: WorldOptions): Promise<BenchWorld> {
  const folder = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'meridian-bench-'))
  // As root, the server runs as another user, who must be able to pass.
  chmodSync(folder, 0o755)
  const home = keepIn ?? join(folder, 'postgres')
  mkdirSync(home, { recursive: true })
  const database = await ensureEmbedded({
    memberOf: runtimeRole,
    dataFolder: home,
    database: `bench_${orders}`,
  })
  const platform = await startPlatform()
  const payments = await paymentEnvironment(platform, 'http://127.0.0.1:1/api/v1/payment/notify')
  const environment = { ...settings, ...payments.environment, DATABASE_URL: database.databaseUrl }
  const keyFile = payments.environment.WECHAT_PAY_PLATFORM_KEYS.split('=')[1] ?? ''
  await migrate(database.databaseUrl, {
    alsoMigrate: (pgPool) => runMigrations({ pgPool }),
  })
  const config = readConfig(environment)
  const services = openServices(config, pino({ level: 'silent' }), systemRuntime)
  await seedDefaults(services.database.pool, { settings: firstSettings })
  const history = await plantHistory(database.databaseUrl, orders)
  const postmaster = postmasterOf(join(home, 'cluster'))
  const close = async () => {
    await services.database.close()
    await platform.stop()
    await payments.remove()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    history,
    services,
    platform,
    environment,
    keyFile,
    folder,
    postmaster,
    [Symbol.asyncDispose]: close,
  }
}
