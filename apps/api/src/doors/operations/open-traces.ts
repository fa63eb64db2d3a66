import { openTracing, type TraceSettings, type Tracing } from '@meridian/tracing'
import type { Logger } from 'pino'
import { listenToSeenOrders } from '../../platform/measures/order-measures.ts'
import { jobRuns, platformCalls, statements } from './describe-work.ts'

/**
 * Begins to trace what this process does, where it is told where to: statements, calls to the platform, jobs and orders
 * say by themselves, over the channels of Node, what they do. Opened before the pools of the database are, which look once
 * whether anybody listens. Null where traces are off; then no library is loaded.
 */
export async function openTraces(settings: TraceSettings | null, log: Logger): Promise<Tracing | null> {
  if (!settings) return null
  const tracing = await openTracing(settings, (failure) =>
    log.warn({ component: 'traces', ...failure }, 'traces are not taken'),
  )
  const stops = [
    tracing.follow('meridian:statement', statements),
    tracing.follow('meridian:platform-call', platformCalls),
    tracing.follow('meridian:job', jobRuns),
    listenToSeenOrders(tracing.sawOrder),
  ]
  return {
    ...tracing,
    stop: async () => {
      for (const stop of stops) stop()
      await tracing.stop()
    },
  }
}
