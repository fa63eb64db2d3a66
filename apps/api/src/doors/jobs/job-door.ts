import { EventEmitter, once } from 'node:events'
import { openPool, type Pool } from '@meridian/db'
import { Logger, run as runWorker, type Task, type WorkerEvents } from 'graphile-worker'
import type { Logger as Log } from 'pino'
import { z } from 'zod'
import { addUpOrders } from '../../dashboard/add-up-orders.ts'
import { addUpSubscriptions } from '../../dashboard/add-up-subscriptions.ts'
import { keepUserFunnels } from '../../dashboard/keep-user-funnels.ts'
import { addUpNotifications } from '../../dashboard/notification-counts.ts'
import { writeDigest } from '../../dashboard/weekly-digest.ts'
import { addUpAccounts } from '../../finance/add-up-accounts.ts'
import { takeImport } from '../../imports/take-import.ts'
import { undoAsked } from '../../imports/undo-import.ts'
import { guardInvariants } from '../../invariants/guard-invariants.ts'
import { crontab, type JobName, type Jobs, jobShapes } from '../../jobs/job-table.ts'
import { watchWorkers } from '../../jobs/keep-workers-alive.ts'
import { refreshKeys, watchClock } from '../../keys/platform-keys.ts'
import { askUnknownPush } from '../../payments/ask-unknown-push.ts'
import { confirmDelivery } from '../../payments/confirm-delivery.ts'
import { retireUnpaidOrders, sweepOrder } from '../../payments/sweep-order.ts'
import { jobsAtOnce } from '../../platform/limits/open-doors.ts'
import { trackRefund } from '../../refunds/track-refund.ts'
import { purgeExpired } from '../../retention/purge-expired.ts'
import type { Services } from '../../services.ts'
import { applyDueSetting } from '../../settings/decide-setting.ts'
import { queueMissedShipping } from '../../shipping/queue-shipping.ts'
import { uploadShipping } from '../../shipping/upload-shipping.ts'
import { checkErasures } from '../../startup/start-checks.ts'
import { remindExpiring } from '../../subscriptions/remind-expiring.ts'
import { deliverScheduled, startScheduled } from '../files/scheduled-exports.ts'
import { writeExport } from '../files/write-export.ts'
import type { Metrics } from '../operations/metrics-door.ts'
import { reconcileByClock, reconcileVirtualByClock } from './catch-up-with-platform.ts'
import { followBatch, followTogether } from './follow-payments.ts'
import { keepHandingOver } from './hand-over-jobs.ts'
import { traceJobs } from './trace-jobs.ts'

/** Work that gets what the table of jobs says; a payload of another shape fails, and is shown as a job that gave up. */
const task =
  <Name extends JobName>(job: Name, work: (payload: Jobs[Name]) => Promise<void>): Task =>
  (payload) =>
    work(jobShapes[job].parse(payload))

/** The clock speaks to us: one line per job. */
const tasksOf = (services: Services, metrics: Metrics): Record<JobName, Task> => ({
  sweep_order: task('sweep_order', (payload) => sweepOrder(services, payload)),
  follow_payment: task('follow_payment', ({ outTradeNo }) =>
    followTogether(services.database.pool, [outTradeNo]),
  ),
  follow_payments: task('follow_payments', ({ outTradeNos }) => followBatch(services, outTradeNos)),
  confirm_delivery: task('confirm_delivery', (payload) => confirmDelivery(services, payload)),
  ask_unknown_push: task('ask_unknown_push', (payload) => askUnknownPush(services, payload)),
  track_refund: task('track_refund', (payload) => trackRefund(services, payload)),
  retire_unpaid_orders: task('retire_unpaid_orders', (payload) => retireUnpaidOrders(services, payload)),
  reconcile_day: task('reconcile_day', (payload) => reconcileByClock(services, payload)),
  reconcile_virtual_day: task('reconcile_virtual_day', (payload) =>
    reconcileVirtualByClock(services, payload),
  ),
  upload_shipping: task('upload_shipping', (payload) => uploadShipping(services, payload)),
  queue_missed_shipping: async () => void (await queueMissedShipping(services.database.pool)),
  write_export: task('write_export', ({ exportId }) => writeExport(services, exportId)),
  start_due_exports: () => startScheduled(services),
  deliver_export: task('deliver_export', (payload) => deliverScheduled(services, payload)),
  take_import: task('take_import', ({ importId }) => takeImport(services, importId)),
  undo_import: task('undo_import', ({ importId }) => undoAsked(services.database.pool, importId)),
  apply_setting: task('apply_setting', ({ requestId }) =>
    applyDueSetting(services.database.prisma, requestId),
  ),
  remind_expiring: async () => void (await remindExpiring(services)),
  refresh_keys: async () => {
    if (services.payments) await refreshKeys(services.database.pool, services.payments)
  },
  forget_old: async () => {
    services.log.info(await purgeExpired(services.database.pool), 'forgot what is old')
    await checkErasures(services)
  },
  add_up: async () => {
    await addUpOrders(services.database.pool)
    await addUpSubscriptions(services.database.pool)
    await addUpNotifications(services.database.pool)
    await addUpAccounts(services.database.pool)
  },
  keep_funnels: () => keepUserFunnels(services.database.pool, services.runtime.now()),
  write_digest: async () => void (await writeDigest(services.database.pool, services.runtime.now())),
  check_invariants: async () => {
    if (services.payments) await watchClock(services.database.pool, services.payments)
    metrics.showViolations(await guardInvariants(services.database.pool))
  },
})

/** Jobs that releases before this one enqueued and nobody needs any more: they end without an act. */
const retiredJobs = { tell_alert: async () => undefined } satisfies Record<string, Task>

/** The connection on which the job library hears of new jobs. */
const listening = 1
/** Taking a job and ending it are short: a server that says nothing for so long is given up, and with it the connection. */
const queueStatementMs = 10_000

/**
 * What the job library works with. Its connections are its own, because it knows `bigint` as text alone; and the end
 * of a job is written by a watched call, because an unwatched one that fails ends the program.
 */
export function openQueue(services: Services, metrics: Metrics) {
  const { config, log, shares } = services
  const pgPool = openPool(config.database.direct, {
    applicationName: 'meridian-jobs',
    maxConnections: shares.queue + listening,
    statementTimeoutMs: queueStatementMs,
    foreignTypes: true,
    onIdleError: (error) =>
      log.warn({ component: 'jobs', reason: error.message }, 'database connection lost'),
  })
  return {
    pgPool,
    taskList: traceJobs({ ...tasksOf(services, metrics), ...retiredJobs }),
    noHandleSignals: true,
    logger: workerLog(log),
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
}

export type RunningJobs = {
  /** The connections by which jobs are taken. */
  pool: Pool
  stop: () => Promise<void>
  /** Fulfilled when they have stopped, asked or not: a database that leaves at the wrong moment ends the runner. */
  ended: Promise<void>
}

/** Runs jobs in this process until stopped; stopping waits for the jobs at work. */
export async function startJobs(services: Services, metrics: Metrics): Promise<RunningJobs> {
  const events: WorkerEvents = new EventEmitter()
  const stopWatching = watchWorkers(services, events)
  metrics.countJobs(events)
  const queue = openQueue(services, metrics)
  metrics.showPool('queue', queue.pgPool)
  const stopHandingOver = keepHandingOver(services, queue.pgPool)
  let over = false
  const end = () => {
    over = true
    stopWatching()
    stopHandingOver()
    // Nobody waits: a connection that broke in the library's hands may never be given back.
    void queue.pgPool.end()
  }
  const options = { ...queue, events, crontab: crontab(), concurrency: jobsAtOnce }
  const runner = await runWorker(options).catch((error: unknown) => {
    end()
    throw error
  })
  // A runner that could not write down what became of its jobs may wait for them for ever.
  const gaveUp = once(events, 'pool:fatalError')
  const ended = Promise.race([runner.promise, gaveUp]).then(end, end)
  return {
    pool: queue.pgPool,
    ended,
    stop: async () => {
      stopHandingOver()
      if (!over) await runner.stop().catch(() => undefined)
      await ended
    },
  }
}

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** What the job library says of a job beside its message, where it says it. */
const Told = z.object({
  job: z
    .object({ id: z.string(), task_identifier: z.string(), attempts: z.int() })
    .optional()
    .catch(undefined),
  error: z.unknown(),
})

const messageOf = (error: unknown): string => {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : JSON.stringify(error)
}

/** Which job it is about, and why that failed, in fields that can be searched for. */
function factsOf(meta: unknown): Record<string, string | number> {
  const { job, error } = Told.safeParse(meta).data ?? {}
  return {
    ...(job && { job: job.id, task: job.task_identifier, attempt: job.attempts }),
    ...(error !== undefined && error !== null && { error: messageOf(error) }),
  }
}

/** It advises a connection for each job at once; it holds one for moments only, and a process has its share. */
const isAdviceOnShares = (message: string) => message.startsWith('WARNING: having maxPoolSize')

/** The job library's messages in our log; what is ordinary there is debugging here. */
export const workerLog = (log: Log): Logger =>
  new Logger(() => (level, message, meta) => {
    log[isAdviceOnShares(message) ? 'debug' : levels[level]]({ component: 'jobs', ...factsOf(meta) }, message)
  })
