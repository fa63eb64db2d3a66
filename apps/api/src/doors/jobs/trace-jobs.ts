import { tracingChannel } from 'node:diagnostics_channel'
import type { Job, Task } from 'graphile-worker'

/** One run of a job. */
export type JobRun = { job: string; id: string; attempt: number; waitedMs: number; payload: unknown }

// A tracing channel of Node: where nobody listens, a job runs as if there were none.
const runs = tracingChannel<unknown, JobRun>('meridian:job')

const runOf = ({ task_identifier, id, attempts, run_at, locked_at, payload }: Job): JobRun => ({
  job: task_identifier,
  id,
  attempt: attempts,
  // Both are written by the database.
  waitedMs: Math.max(0, Number(locked_at ?? run_at) - Number(run_at)),
  payload,
})

const traced =
  (task: Task): Task =>
  async (payload, helpers) =>
    runs.hasSubscribers
      ? runs.tracePromise(async () => task(payload, helpers), runOf(helpers.job))
      : task(payload, helpers)

/** The same tasks, each run of which the channel `meridian:job` is told of. */
export const traceJobs = (tasks: Readonly<Record<string, Task>>): Record<string, Task> =>
  Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, traced(task)]))
