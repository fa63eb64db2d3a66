import { schedule } from '@meridian/contracts'
import type { JobName } from './job-table.ts'

const scheduled: readonly { cron: string; job: JobName; options: string }[] = schedule

/** The schedule in the words of the job library. */
export const crontab = (): string =>
  scheduled.map(({ cron, job, options }) => `${cron} ${job} ${options}`).join('\n')
