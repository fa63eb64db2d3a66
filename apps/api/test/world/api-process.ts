import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scheduler } from 'node:timers/promises'
import type { Platform } from '@meridian/payments/testing'
import { freePort } from './free-port.ts'
import { environmentFor } from './test-world.ts'

export type ApiProcess = {
  url: string
  process: ChildProcess
  /** Everything it wrote so far, stdout and stderr. */
  output: () => string
  stop: () => Promise<void>
}

/** The seven payment settings and the login as environment variables, the keys in files of a temporary folder. */
export async function paymentEnvironment(platform: Platform, notifyUrl: string) {
  const settings = platform.settings({ notifyUrl })
  const folder = await mkdtemp(join(tmpdir(), 'meridian-keys-'))
  const merchantKeyFile = join(folder, 'merchant.key')
  await writeFile(merchantKeyFile, settings.merchantPrivateKey, { mode: 0o600 })
  const pairs = await Promise.all(
    settings.platformKeys.map(async ({ id, pem }) => {
      const file = join(folder, `${id}.pem`)
      await writeFile(file, pem, { mode: 0o600 })
      return `${id}=${file}`
    }),
  )
  const environment = {
    WECHAT_APP_ID: settings.appId,
    WECHAT_APP_SECRET: settings.appSecret,
    WECHAT_API_BASE_URL: settings.apiBaseUrl,
    WECHAT_PAY_BASE_URL: settings.baseUrl,
    WECHAT_PAY_APP_ID: settings.appId,
    WECHAT_PAY_MCH_ID: settings.mchId,
    WECHAT_PAY_MERCHANT_SERIAL_NO: settings.merchantSerialNo,
    WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE: merchantKeyFile,
    WECHAT_PAY_API_V3_KEY: settings.apiV3Keys.join(','),
    WECHAT_PAY_PLATFORM_KEYS: pairs.join(','),
    WECHAT_PAY_NOTIFY_URL: notifyUrl,
  }
  return { environment, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function untilOk(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await scheduler.wait(50)
  }
  throw new Error('the API ended before it was ready')
}

/** A program of the API, bundled as it ships. */
export const programFile = (name: string) =>
  join(process.env['MERIDIAN_TEST_PROGRAMS'] ?? 'dist', `${name}.js`)

/** Starts the API as a program of its own with exactly this environment. */
export function spawnApi(environment: Record<string, string>): ApiProcess {
  const child = spawn(process.execPath, [programFile('main')], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test that fails half-way must not leave its program behind.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  return {
    url: `http://127.0.0.1:${environment['PORT']}`,
    process: child,
    output: () => Buffer.concat(chunks).toString(),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

type Start = {
  platform: Platform
  databaseUrl: string
  more?: Record<string, string>
  awaited?: '/readyz' | '/healthz'
}

/** Starts the API as a program and waits until it is ready, or only up. */
export async function startApi({
  platform,
  databaseUrl,
  more = {},
  awaited = '/readyz',
}: Start): Promise<ApiProcess> {
  const port = await freePort()
  const payments = await paymentEnvironment(platform, `http://127.0.0.1:${port}/api/v1/payment/notify`)
  const api = spawnApi(
    environmentFor(databaseUrl, port, { LOG_LEVEL: 'warn', ...payments.environment, ...more }),
  )
  await untilOk(`${api.url}${awaited}`, api.process)
  return { ...api, stop: () => api.stop().then(payments.remove) }
}
