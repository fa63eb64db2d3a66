import { z } from 'zod'
import { SerialId } from '../paging.ts'

/** How one kind of job stands in the queue. */
export const JobQueueRow = z.object({
  job: z.string(),
  /** Due now and not taken. */
  due: z.int(),
  running: z.int(),
  /** Waits for its time. */
  scheduled: z.int(),
  /** Failed before and will be tried again. */
  failing: z.int(),
  /** Tried as often as allowed; nothing happens by itself any more. */
  dead: z.int(),
  oldestDueAt: z.date().nullable(),
})
export type JobQueueRow = z.infer<typeof JobQueueRow>

export const FailingJob = z.object({
  id: z.string(),
  job: z.string(),
  key: z.string().nullable(),
  attempts: z.int(),
  maxAttempts: z.int(),
  lastError: z.string(),
  runAt: z.date(),
  createdAt: z.date(),
  isRunning: z.boolean(),
})
export type FailingJob = z.infer<typeof FailingJob>

/** A job that the clock starts; the times are those of its cron line, in UTC. */
export const ScheduledJob = z.object({ job: z.string(), cron: z.string(), lastRunAt: z.date().nullable() })

export const JobWorker = z.object({ workerId: z.string(), seenAt: z.date(), isAlive: z.boolean() })
export type JobWorker = z.infer<typeof JobWorker>

export const JobOverview = z.object({
  queue: z.array(JobQueueRow),
  failing: z.array(FailingJob),
  schedule: z.array(ScheduledJob),
  workers: z.array(JobWorker),
  readAt: z.date(),
})
export type JobOverview = z.infer<typeof JobOverview>

export const JobReference = z.object({ id: SerialId })
