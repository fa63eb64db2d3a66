import { randomUUID } from 'node:crypto'
import { openPool, type Pool } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { type Platform, startPlatform } from '@meridian/payments/testing'
import { test } from 'vitest'
import { type ApiProcess, startApi } from '../world/api-process.ts'
import { openDatabaseGate } from '../world/database-gate.ts'
import { Phone } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'
import { type Robot, startRobot } from '../world/robots.ts'

// Two minutes on a machine that has time; with both cores taken by others, more than four were seen.
const toldWithin = { timeout: 480_000, interval: 1_000 }

type Installation = {
  api: ApiProcess
  platform: Platform
  gate: Awaited<ReturnType<typeof openDatabaseGate>>
  robot: Robot
  pool: Pool
}

/** Programs as they are installed, and a robot that they tell their alerts. */
async function install(environment: Record<string, string>): Promise<Installation & AsyncDisposable> {
  const [platform, robot] = [await startPlatform({ keys: platformKeys() }), await startRobot('wecom')]
  const database = await cloneDatabase()
  const gate = await openDatabaseGate(database.databaseUrl)
  const pool = openPool(database.databaseUrl)
  const more = {
    MERIDIAN_ROLE: 'all',
    ALERT_CHANNELS: robot.setting,
    ALERT_ALLOW_PRIVATE: 'true',
    ...environment,
  }
  const api = await startApi({ platform, databaseUrl: gate.databaseUrl, more })
  return {
    api,
    platform,
    gate,
    robot,
    pool,
    [Symbol.asyncDispose]: async () => {
      await api.stop()
      await pool.end()
      await gate.cut()
      await Promise.all([platform.stop(), robot[Symbol.asyncDispose](), database.drop()])
    },
  }
}

const signIn = ({ api, platform }: Installation) => Phone.logIn(api.url, platform, `o${randomUUID()}`)

/** Somebody who has signed in taps again and again. */
async function keepsBuying(installation: Installation) {
  const phone = await signIn(installation)
  return () => phone.purchaseAnswer('monthly', randomUUID()).then(({ status }) => status)
}

type Trouble = {
  /** What is told. */
  kinds: readonly string[]
  environment?: Record<string, string>
  /** Makes the trouble, and answers what somebody goes on doing meanwhile. */
  make: (installation: Installation) => Promise<(() => Promise<unknown>) | undefined>
}

async function databaseSlowBy(installation: Installation, ms: number) {
  const buys = await keepsBuying(installation)
  await buys()
  installation.gate.slow(ms)
  return buys
}

const troubles: Readonly<Record<string, Trouble>> = {
  'a wrong API v3 key and a job that gave up': {
    kinds: ['notifications_refused', 'job_dead'],
    environment: { WECHAT_PAY_API_V3_KEY: 'not the key of this merchant 012' },
    make: async (installation) => {
      await installation.pool.query(`SELECT graphile_worker.add_job('sweep_order', '{}', max_attempts => 1)`)
      return async () => {
        const phone = await signIn(installation)
        await phone.pays(await phone.buys(), { once: true })
      }
    },
  },
  'a wrong merchant serial': {
    kinds: ['prepay_failing'],
    environment: { WECHAT_PAY_MERCHANT_SERIAL_NO: '7777777777777777777777777777777777777777' },
    make: keepsBuying,
  },
  'a platform that is down': {
    kinds: ['platform_unreachable'],
    make: async (installation) => {
      const buys = await keepsBuying(installation)
      installation.platform.faults.add({ kind: 'drop' })
      return buys
    },
  },
  'a slow database': {
    kinds: ['payments_failing'],
    make: (installation) => databaseSlowBy(installation, 2_000),
  },
  'a database too slow for a word': {
    kinds: ['database_unreachable'],
    make: (installation) => databaseSlowBy(installation, 20_000),
  },
  'no worker': {
    kinds: ['workers_silent'],
    environment: { MERIDIAN_ROLE: 'api' },
    make: async ({ pool }) => {
      await pool.query(
        `SELECT graphile_worker.add_job('forget_old', '{}', run_at => now() - interval '1 hour')`,
      )
      return undefined
    },
  },
}

test.concurrent.for(Object.entries(troubles))(
  'the programs themselves tell %s, once',
  {
    timeout: 540_000,
  },
  async ([, { kinds, environment = {}, make }], { expect }) => {
    await using installation = await install(environment)
    const happens = await make(installation)
    const told = () =>
      kinds.map((kind) => installation.robot.taken.filter((text) => text.includes(kind)).length)
    const toldMeanwhile = async () => {
      await happens?.()
      return told()
    }
    const once = kinds.map(() => 1)
    await expect.poll(toldMeanwhile, toldWithin).toEqual(once)
    expect(told()).toEqual(once)
  },
)
