import { ConfirmedBy, orderMoves, PaymentChannel } from '@meridian/contracts'
import type { WorkerEvents } from 'graphile-worker'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { Observations } from '../../monitoring/observations.ts'
import { listenToOrders } from '../../platform/measures/order-measures.ts'

const callBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]
const jobBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1200]
/** From what a notification takes to what only the next day's bill finds. */
const delayBuckets = [1, 2, 5, 10, 30, 60, 120, 300, 900, 1800, 3600, 7200, 86_400, 172_800]

const callsIn = (registry: Registry) =>
  new Histogram({
    name: 'meridian_platform_calls_seconds',
    help: 'Duration of calls to the payment platform and the mini-program platform, all attempts of one call together',
    labelNames: ['endpoint', 'outcome'],
    buckets: callBuckets,
    registers: [registry],
  })

const rejectionsIn = (registry: Registry) =>
  new Counter({
    name: 'meridian_notifications_rejected_total',
    help: 'Deliveries at the notification door that were not accepted, by reason',
    labelNames: ['reason'],
    registers: [registry],
  })

const pushesIn = (registry: Registry) =>
  new Counter({
    name: 'meridian_pushes_total',
    help: 'Message pushes that were verified, by what they are about',
    labelNames: ['kind'],
    registers: [registry],
  })

/** Counts what this process sees of the platform. */
export function countObservations(registry: Registry): (observations: Observations) => void {
  const calls = callsIn(registry)
  const rejections = rejectionsIn(registry)
  const pushes = pushesIn(registry)
  return (observations) => {
    observations.onCall(({ endpoint, outcome, seconds }) => calls.observe({ endpoint, outcome }, seconds))
    observations.onDelivery(({ reason }) => {
      if (reason) rejections.inc({ reason })
    })
    observations.onPush((kind) => pushes.inc({ kind }))
  }
}

/** Series that alert rules watch exist from the start: `increase` does not see the step with which a series begins. */
function beginOrderSeries(moves: Counter<'move' | 'channel'>, delays: Histogram<'confirmed_by' | 'channel'>) {
  for (const channel of PaymentChannel.options) {
    for (const move of ['create', ...Object.keys(orderMoves)]) moves.inc({ move, channel }, 0)
    for (const confirmed_by of ConfirmedBy.options) delays.zero({ confirmed_by, channel })
  }
}

/** Counts what this process does to orders. */
export function countOrders(registry: Registry): void {
  const moves = new Counter({
    name: 'meridian_order_moves_total',
    help: 'Moves of orders that this process made',
    labelNames: ['move', 'channel'] as const,
    registers: [registry],
  })
  const delays = new Histogram({
    name: 'meridian_payment_delay_seconds',
    help: 'From the success time of the platform to the grant',
    labelNames: ['confirmed_by', 'channel'] as const,
    buckets: delayBuckets,
    registers: [registry],
  })
  beginOrderSeries(moves, delays)
  listenToOrders({
    onMove: ({ move, channel }) => moves.inc({ move, channel }),
    onGrant: ({ confirmedBy, channel, seconds }) =>
      delays.observe({ confirmed_by: confirmedBy, channel }, seconds),
  })
}

/** Counts jobs by their end and measures them. */
export function measureJobs(registry: Registry): (events: WorkerEvents) => void {
  const ends = new Counter({
    name: 'meridian_jobs_total',
    help: 'Jobs by end',
    labelNames: ['job', 'end'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'meridian_job_seconds',
    help: 'Duration of jobs, however they ended',
    labelNames: ['job'],
    buckets: jobBuckets,
    registers: [registry],
  })
  return (events) => {
    const started = new Map<string, number>()
    events.on('job:start', ({ job }) => started.set(job.id, performance.now()))
    events.on('job:complete', ({ job }) => {
      const since = started.get(job.id)
      started.delete(job.id)
      if (since !== undefined)
        durations.observe({ job: job.task_identifier }, (performance.now() - since) / 1000)
    })
    events.on('job:success', ({ job }) => ends.inc({ job: job.task_identifier, end: 'success' }))
    events.on('job:error', ({ job }) => ends.inc({ job: job.task_identifier, end: 'error' }))
    events.on('job:failed', ({ job }) => ends.inc({ job: job.task_identifier, end: 'failed' }))
  }
}
