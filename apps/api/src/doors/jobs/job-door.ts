import { type Runner, run as runWorker, type Task } from 'graphile-worker'
import { z } from 'zod'
import type { JobName } from '../../jobs/enqueue-job.ts'
import { followPayment } from '../../paid/follow-payment.ts'
import { retireUnpaidOrders, sweepOrder } from '../../paid/sweep-order.ts'
import { trackRefund } from '../../refunds/track-refund.ts'
import type { Services } from '../../services.ts'
import { workerLog } from './worker-log.ts'

const Sweep = z.object({ outTradeNo: z.string(), attempt: z.int() })
const Payment = z.object({ outTradeNo: z.string() })
const Refund = z.object({ outRefundNo: z.string(), attempt: z.int() })
const Retirement = z.object({ userId: z.uuid(), exceptOutTradeNo: z.string() })

/** The clock speaks to us: one line per job. */
const tasksOf = (services: Services): Record<JobName, Task> => ({
  sweep_order: (payload) => sweepOrder(services, Sweep.parse(payload)),
  follow_payment: (payload) => followPayment(services.database.pool, Payment.parse(payload).outTradeNo),
  track_refund: (payload) => trackRefund(services, Refund.parse(payload)),
  retire_unpaid_orders: (payload) => retireUnpaidOrders(services, Retirement.parse(payload)),
})

/** Runs jobs in this process until stopped; stopping waits for the jobs at work. */
export function startJobs(services: Services): Promise<Runner> {
  return runWorker({
    pgPool: services.database.pool,
    taskList: tasksOf(services),
    concurrency: 4,
    noHandleSignals: true,
    logger: workerLog(services.log),
  })
}
