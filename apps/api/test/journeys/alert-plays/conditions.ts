import { randomUUID } from 'node:crypto'
import { openPool } from '@meridian/db'
import { expect } from 'vitest'
import { dayBefore } from '../../../src/platform/time/business-time.ts'
import { signedInConsole, signInAnew } from '../../world/console.ts'
import { doDueJobs, doJob } from '../../world/do-jobs.ts'
import { deliver, payInSilence } from '../../world/pay-in-silence.ts'
import type { TestWorld } from '../../world/test-world.ts'
import { look, passWorking, passWorkingUntil } from '../../world/watch.ts'
import type { Raised, SomePlays } from './play.ts'

const dayMs = 86_400_000

type Lasting = {
  /** What happens all the while it lasts. */
  lasts?: () => unknown
  /** How a minute passes meanwhile, where it is not one in which workers live. */
  minute?: () => Promise<unknown>
  /** What heals the cause. */
  heal: () => Promise<unknown>
}

/** A condition that is seen, seen again while it lasts, and not seen any more once its cause is healed. */
async function watched(world: TestWorld, lasting: Lasting): Promise<Raised> {
  const { lasts, minute = () => passWorking(world, { minutes: 1 }), heal } = lasting
  await look(world)
  return {
    again: async () => {
      await minute()
      lasts?.()
      await look(world)
    },
    end: async () => {
      await heal()
      await look(world)
    },
  }
}

/** Purchases that fail; answers how each is tried again under its own key. */
async function failThrice(world: TestWorld): Promise<() => Promise<void>> {
  const keys = [randomUUID(), randomUUID(), randomUUID()]
  const phone = await world.phone()
  for (const key of keys) await phone.purchaseAnswer('monthly', key)
  return async () => {
    world.platform.faults.clear()
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

const addBackup = (world: TestWorld) =>
  world.query('INSERT INTO backups (finished_at, bytes) VALUES (business_now(), 1)')

/** What the watch of every process finds. */
export const conditions = {
  notifications_refused: {
    subject: /^verified$/,
    besides: ['notification_unreadable'],
    raise: async (world) => {
      const { outTradeNo } = await payInSilence(world)
      for (const _ of [1, 2, 3]) await deliver(world, outTradeNo, { apiV3Key: '0'.repeat(32) })
      return watched(world, { heal: () => deliver(world, outTradeNo) })
    },
  },
  prepay_failing: {
    subject: /^purchases$/,
    raise: async (world) => {
      world.platform.faults.add({ kind: 'error_before', at: 'prepay', status: 400 })
      return watched(world, { heal: await failThrice(world) })
    },
  },
  payments_failing: {
    subject: /^requests$/,
    raise: async (world) => {
      const { phone, outTradeNo } = await payInSilence(world)
      await whileOrdersAreLocked(world, async () => {
        expect(await phone.purchaseAnswer('yearly', randomUUID())).toMatchObject({ status: 503 })
        await look(world)
        await passWorking(world, { minutes: 1 })
        const answers = [await deliver(world, outTradeNo), await deliver(world, outTradeNo)]
        expect(answers).toMatchObject([{ status: 503 }, { status: 503 }])
      })
      const heal = async () => {
        await deliver(world, outTradeNo)
        await passWorking(world, { minutes: 5 })
      }
      return watched(world, { heal })
    },
  },
  platform_unreachable: {
    subject: /^payment$/,
    raise: async (world) => {
      world.platform.faults.add({ kind: 'drop', at: 'prepay' })
      return watched(world, { heal: await failThrice(world) })
    },
  },
  payments_missing: {
    subject: /^notifications$/,
    raise: async (world) => {
      const [found] = [await foundByAsking(world), await foundByAsking(world)]
      await passWorking(world, { minutes: 31 })
      const heal = () => world.platform.resend(found ?? '')
      return watched(world, { heal })
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
      return watched(world, { heal })
    },
  },
  workers_silent: {
    subject: /^workers$/,
    raise: async (world) => {
      await world.query(`SELECT graphile_worker.add_job('forget_old', '{}')`)
      await world.passTime({ seconds: 61 })
      const minute = () => world.passTime({ minutes: 1 })
      return watched(world, { minute, heal: () => doDueJobs(world) })
    },
  },
  key_expiring: {
    subject: /^merchant-certificate \w{4}••••\w{4} month$/,
    raise: async (world) => {
      const { console: owner } = await signedInConsole(world, { email: 'owner@example.com' })
      const merchantSerialNo = world.config.payments?.merchantSerialNo ?? ''
      const enter = (inDays: number) => {
        const endsOn = new Date(world.services.runtime.now().getTime() + inDays * dayMs)
          .toISOString()
          .slice(0, 10)
        return owner.key.enterCertificateEnd.mutate({ merchantSerialNo, endsOn })
      }
      await enter(20)
      return watched(world, { heal: () => enter(400) })
    },
  },
  export_failing: {
    subject: /^payments \w{4}••••\w{4}$/,
    raise: async (world) => {
      const email = 'f@example.com'
      const { console: finance } = await signedInConsole(world, { email, role: 'finance' })
      const place = {
        endpoint: 'http://127.0.0.1:9',
        region: 'r',
        bucket: 'none',
        prefix: '',
        pathStyle: true,
      }
      const s3 = { ...place, accessKeyId: 'AKIA', secretAccessKey: 'secret-secret' }
      const wanted = { kind: 'payments', format: 'csv', hour: 0, keepDays: 1 } as const
      const { id } = await finance.exportSchedule.create.mutate({ ...wanted, s3 })
      await passWorking(world, { hours: 25 })
      await doDueJobs(world)
      await doJob(world, 'start_due_exports', {})
      await passWorking(world, { hours: 49 })
      const heal = async () => (await signInAnew(world, email)).console.exportSchedule.pause.mutate({ id })
      return watched(world, { heal })
    },
  },
  backup_old: {
    subject: /^database$/,
    raise: async (world) => {
      await addBackup(world)
      await passWorking(world, { hours: 27 })
      return watched(world, { heal: () => addBackup(world) })
    },
  },
  reconciliation_missing: {
    subject: /^\d{4}-\d\d-\d\d$/,
    raise: async (world) => {
      const date = dayBefore(new Date(world.services.runtime.now().getTime() + dayMs))
      const phone = await world.phone()
      await phone.pays(await phone.buys())
      await passWorkingUntil(world, new Date(Date.parse(`${date}T04:01:00Z`) + dayMs))
      return watched(world, { heal: () => doJob(world, 'reconcile_day', { date }) })
    },
  },
  limits_not_shared: {
    subject: /^redis$/,
    raise: async (world) => {
      const lasts = () => world.services.observations.note('limits_alone')
      lasts()
      return watched(world, { lasts, heal: () => passWorking(world, { seconds: 30 }) })
    },
  },
  database_timeline_changed: {
    subject: /^timeline ••••$/,
    raise: async (world) => {
      await look(world)
      await world.query('UPDATE database_timelines SET timeline = timeline - 1')
      return watched(world, { heal: () => passWorking(world, { days: 1 }) })
    },
  },
} satisfies SomePlays
