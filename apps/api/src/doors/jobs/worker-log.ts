import { Logger } from 'graphile-worker'
import type { Logger as Log } from 'pino'

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** The job library's messages in our log; what is ordinary there is debugging here. */
export const workerLog = (log: Log): Logger =>
  new Logger(() => (level, message, meta) => {
    log[levels[level]]({ component: 'jobs', ...(meta?.['job'] ? { job: String(meta['job']) } : {}) }, message)
  })
