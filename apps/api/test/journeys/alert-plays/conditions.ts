import { randomUUID } from 'node:crypto'
import { openPool } from '@meridian/db'
import { expect } from 'vitest'
import { dayBefore } from '../../../src/reconciliation/china-day.ts'
import { signedInConsole } from '../../world/console.ts'
import { doDueJobs, doJob } from '../../world/do-jobs.ts'
import { deliver, payInSilence } from '../../world/pay-in-silence.ts'
import type { TestWorld } from '../../world/test-world.ts'
import { ageAlerts, ageObservations, look } from '../../world/watch.ts'
import type { Raised, RaisedKind, SomePlays } from './play.ts'

const dayMinutes = 24 * 60

type Lasting = {
  kind: RaisedKind
  /** When it is looked at, in minutes from now. */
  inMinutes?: number
  /** What heals the cause. */
  heal: () => Promise<unknown>
  /** When it is looked at after that. */
  thenInMinutes?: number
}

/** A condition that is seen, seen again while it lasts, and not seen any more once its cause is healed. */
async function watched(world: TestWorld, { kind, inMinutes = 0, heal, ...then }: Lasting): Promise<Raised> {
  await look(world, { inMinutes })
  return {
    again: async () => {
      await ageAlerts(world, kind, 2 + Math.max(0, -inMinutes))
      await look(world, { inMinutes })
    },
    end: async () => {
      await heal()
      await look(world, { inMinutes: then.thenInMinutes ?? inMinutes })
    },
  }
}

/** Somebody works, whenever it is looked at: what is due is no silence. */
const workersLive = (world: TestWorld) =>
  world.query(`INSERT INTO worker_heartbeats (worker_id, seen_at) VALUES ('w', now() + interval '3 days')`)

/** Purchases that fail; answers how each is tried again under its own key. */
async function failThrice(world: TestWorld): Promise<() => Promise<void>> {
  const keys = [randomUUID(), randomUUID(), randomUUID()]
  const phone = await world.phone()
  for (const key of keys) await phone.purchaseAnswer('monthly', key)
  return async () => {
    world.platform.weather.clear()
    for (const key of keys) await phone.buys('monthly', key)
  }
}

/** Somebody makes an index on the orders, which nobody can write meanwhile. */
async function whileOrdersAreLocked(world: TestWorld, work: () => Promise<void>): Promise<void> {
  const pool = openPool(world.databaseUrl, { maxConnections: 1 })
  const maker = await pool.connect()
  try {
    await maker.query('BEGIN; LOCK TABLE orders IN SHARE MODE')
    await work()
  } finally {
    maker.release(true)
    await pool.end()
  }
}

/** Paid, and found by asking alone. */
async function foundByAsking(world: TestWorld): Promise<string> {
  const { phone, outTradeNo } = await payInSilence(world)
  await phone.syncs(outTradeNo)
  return outTradeNo
}

const addBackup = (world: TestWorld, ago: string) =>
  world.query(`INSERT INTO backups (finished_at, bytes) VALUES (now() - $1::interval, 1)`, [ago])

/** What the watch of every process finds. */
export const conditions = {
  notifications_refused: {
    subject: /^verified$/,
    besides: ['notification_unreadable'],
    raise: async (world) => {
      const { outTradeNo } = await payInSilence(world)
      for (const _ of [1, 2, 3]) await deliver(world, outTradeNo, { apiV3Key: '0'.repeat(32) })
      return watched(world, { kind: 'notifications_refused', heal: () => deliver(world, outTradeNo) })
    },
  },
  prepay_failing: {
    subject: /^purchases$/,
    raise: async (world) => {
      world.platform.weather.add({ kind: 'error_before', at: 'prepay', status: 400 })
      return watched(world, { kind: 'prepay_failing', heal: await failThrice(world) })
    },
  },
  payments_failing: {
    subject: /^requests$/,
    raise: async (world) => {
      await workersLive(world)
      const { phone, outTradeNo } = await payInSilence(world)
      await whileOrdersAreLocked(world, async () => {
        expect(await phone.purchaseAnswer('yearly', randomUUID())).toMatchObject({ status: 503 })
        await look(world)
        await ageObservations(world, 1)
        const answers = [await deliver(world, outTradeNo), await deliver(world, outTradeNo)]
        expect(answers).toMatchObject([{ status: 503 }, { status: 503 }])
      })
      const heal = async () => {
        await ageObservations(world, 1)
        await deliver(world, outTradeNo)
      }
      return watched(world, { kind: 'payments_failing', heal, thenInMinutes: 6 })
    },
  },
  platform_unreachable: {
    subject: /^payment$/,
    raise: async (world) => {
      world.platform.weather.add({ kind: 'drop', at: 'prepay' })
      return watched(world, { kind: 'platform_unreachable', heal: await failThrice(world) })
    },
  },
  payments_missing: {
    subject: /^notifications$/,
    raise: async (world) => {
      await workersLive(world)
      const [found] = [await foundByAsking(world), await foundByAsking(world)]
      const heal = () => world.platform.resend(found ?? '')
      return watched(world, { kind: 'payments_missing', inMinutes: 31, heal })
    },
  },
  job_dead: {
    subject: /^sweep_order$/,
    raise: async (world) => {
      await world.query(`SELECT graphile_worker.add_job('sweep_order', '{}', max_attempts => 1)`)
      await doDueJobs(world)
      const heal = async () => {
        const { console: desk } = await signedInConsole(world, { email: 'o@example.com' })
        const { failing } = await desk.job.overview.query()
        for (const { id } of failing) await desk.job.cancel.mutate({ id })
      }
      return watched(world, { kind: 'job_dead', heal })
    },
  },
  workers_silent: {
    subject: /^workers$/,
    raise: async (world) => {
      await world.query(
        `SELECT graphile_worker.add_job('forget_old', '{}', run_at => now() - interval '61 seconds')`,
      )
      return watched(world, { kind: 'workers_silent', heal: () => doDueJobs(world) })
    },
  },
  key_expiring: {
    subject: /^merchant-certificate \w{4}••••\w{4} month$/,
    raise: async (world) => {
      const { console: owner } = await signedInConsole(world, { email: 'owner@example.com' })
      const merchantSerialNo = world.config.payments?.merchantSerialNo ?? ''
      const enter = (inDays: number) => {
        const endsOn = new Date(Date.now() + inDays * 86_400_000).toISOString().slice(0, 10)
        return owner.key.enterCertificateEnd.mutate({ merchantSerialNo, endsOn })
      }
      await enter(20)
      return watched(world, { kind: 'key_expiring', heal: () => enter(400) })
    },
  },
  backup_old: {
    subject: /^database$/,
    raise: async (world) => {
      await addBackup(world, '27 hours')
      return watched(world, { kind: 'backup_old', heal: () => addBackup(world, '0 hours') })
    },
  },
  reconciliation_missing: {
    world: { platform: { billsAtOnce: true } },
    subject: /^\d{4}-\d\d-\d\d$/,
    raise: async (world) => {
      await workersLive(world)
      const date = dayBefore(new Date())
      const phone = await world.phone()
      await phone.pays(await phone.buys(), { paidAt: new Date(`${date}T03:00:00Z`) })
      const noon = Date.parse(`${date}T04:01:00Z`) + 86_400_000
      const inMinutes = (noon - Date.now()) / 60_000
      const heal = () => doJob(world, 'reconcile_day', { date })
      return watched(world, { kind: 'reconciliation_missing', inMinutes, heal })
    },
  },
  limits_not_shared: {
    subject: /^redis$/,
    raise: async (world) => {
      world.services.observations.note('limits_alone')
      const heal = async () => undefined
      return watched(world, { kind: 'limits_not_shared', heal, thenInMinutes: 1 })
    },
  },
  database_timeline_changed: {
    subject: /^timeline ••••$/,
    raise: async (world) => {
      await look(world)
      await world.query(
        `UPDATE database_timelines SET timeline = timeline - 1, first_seen_at = now() - interval '9 days'`,
      )
      const [heal, thenInMinutes] = [async () => undefined, dayMinutes + 1]
      return watched(world, { kind: 'database_timeline_changed', heal, thenInMinutes })
    },
  },
} satisfies SomePlays
