import { Logger } from 'graphile-worker'
import type { Logger as Log } from 'pino'
import { z } from 'zod'

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

/** The job library's messages in our log; what is ordinary there is debugging here. */
export const workerLog = (log: Log): Logger =>
  new Logger(() => (level, message, meta) => {
    log[levels[level]]({ component: 'jobs', ...factsOf(meta) }, message)
  })
