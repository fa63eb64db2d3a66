import type { WorkerEvents } from 'graphile-worker'
import { beat, freeLostJobs } from '../../jobs/keep-workers-alive.ts'
import type { Services } from '../../services.ts'

const beatEveryMs = 10_000

/**
 * Says every ten seconds that the workers of this process live, and frees the jobs of workers elsewhere that stopped
 * saying so. Answers how to stop.
 */
export function watchWorkers({ database, log }: Services, events: WorkerEvents): () => void {
  // Jobs are locked in the name of the pool or of one of its workers.
  const workerIds = new Set<string>()
  events.on('worker:stop', ({ worker }) => workerIds.delete(worker.workerId))
  const watch = async () => {
    if (workerIds.size > 0) await beat(database.pool, [...workerIds])
    const lost = await freeLostJobs(database.pool)
    if (lost > 0) log.warn({ component: 'jobs', workers: lost }, 'freed the jobs of lost workers')
  }
  const tick = () => {
    watch().catch((error: unknown) =>
      log.warn({ component: 'jobs', reason: String(error) }, 'heartbeat failed'),
    )
  }
  events.on('pool:create', ({ workerPool }) => {
    workerIds.add(workerPool.id)
    tick()
  })
  events.on('worker:create', ({ worker }) => workerIds.add(worker.workerId))
  const timer = setInterval(tick, beatEveryMs)
  return () => clearInterval(timer)
}
