import { setTimeout as pause } from 'node:timers/promises'
import { type Activity, beginActivityIn } from './activity.ts'
import { type Followed, followIn } from './follow-channel.ts'
import { loadModules, type Modules, openLibrary } from './load-library.ts'
import { sawOrderIn } from './order-life.ts'
import type { TraceSettings } from './read-trace-settings.ts'
import type { Begun } from './spans.ts'

/** Why spans were not taken, and how often since it was last told. */
export type TraceFailure = { reason: string; times: number }

export type Tracing = {
  /** Begins the trace of a request. */
  beginActivity: (begun: Begun) => Activity
  /** Makes spans of what a tracing channel of Node tells of. Answers how to stop. */
  follow: (channel: string, followed: Followed) => () => void
  /** Hears that what runs now is about an order; `isNew` where it has just made it. */
  sawOrder: (outTradeNo: string, isNew: boolean) => void
  /** Sends what is left, for two seconds at most, and opens no more spans. */
  stop: () => Promise<void>
}

/** A collector that is away or silent holds at most so many spans in memory; later ones are dropped. */
const mostQueued = 2048
/** Few enough that writing them down does not keep a payer waiting. */
const mostAtOnce = 256
const sendEveryMs = 2_000
const answerWithinMs = 5_000
const flushWithinMs = 2_000
const tellEveryMs = 60_000

/** Tells the first failure at once, and those of the next minute together. */
function sampleFailures(tell: (failure: TraceFailure) => void) {
  let times = 0
  let quietUntil = 0
  return (error: Error | undefined) => {
    times += 1
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + tellEveryMs
    const code = error && 'code' in error ? String(error.code) : ''
    tell({ reason: code || error?.message.split('\n')[0] || 'unknown', times })
    times = 0
  }
}

function exporterOf(
  { Exporter }: Modules,
  { url, headers }: TraceSettings,
  sawFailure: (error?: Error) => void,
) {
  const exporter = new Exporter({
    url,
    headers: { ...headers },
    timeoutMillis: answerWithinMs,
    concurrencyLimit: 4,
  })
  const send: typeof exporter.export = (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.code !== 0) sawFailure(result.error)
      done(result)
    })
  return { export: send, shutdown: () => exporter.shutdown(), forceFlush: () => exporter.forceFlush() }
}

/**
 * Opens what records spans and sends them in batches to `settings.url`. Nobody waits for it: a collector that is away,
 * slow or refuses costs a bounded queue and one call of `onFailure` a minute.
 */
export async function openTracing(
  settings: TraceSettings,
  onFailure: (failure: TraceFailure) => void,
): Promise<Tracing> {
  const modules = await loadModules(settings)
  const processor = new modules.sdk.BatchSpanProcessor({
    exporter: exporterOf(modules, settings, sampleFailures(onFailure)),
    maxQueueSize: mostQueued,
    maxExportBatchSize: mostAtOnce,
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: answerWithinMs,
  })
  const { library, close } = openLibrary(modules, settings, processor)
  return {
    beginActivity: beginActivityIn(library),
    follow: followIn(library),
    sawOrder: sawOrderIn(library),
    // What could not be sent has been told already.
    stop: () =>
      Promise.race([close().catch(() => undefined), pause(flushWithinMs, undefined, { ref: false })]),
  }
}
