import type { PaymentsReason } from '@meridian/payments'
import type { FastifyRequest } from 'fastify'
import { type Rejection, recordRejections } from '../../notifications/rejected-deliveries.ts'
import type { Services } from '../../services.ts'

const flushEveryMs = 60_000
const samplesPerFlush = 20
const keptBytes = 16 * 1024
const keptHeaders = /^(wechatpay-|content-type$|content-length$|user-agent$|request-id$)/

export type Rejections = {
  /** Counts a refused delivery; in memory, so that a flood costs the database nothing. */
  note: (reason: PaymentsReason, request: FastifyRequest) => void
  flush: () => Promise<void>
  stop: () => Promise<void>
}

const sampleOf = (reason: PaymentsReason, request: FastifyRequest): Rejection => ({
  reason,
  source: request.ip,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => keptHeaders.test(name))),
  body: Buffer.isBuffer(request.body) ? request.body.subarray(0, keptBytes) : Buffer.alloc(0),
})

/** Collects what is refused and writes it once a minute. The platform's probes are counted, not kept. */
export function collectRejections({ database, log }: Services): Rejections {
  const counts = new Map<PaymentsReason, number>()
  const samples: Rejection[] = []
  const flush = async () => {
    const [counted, kept] = [new Map(counts), samples.splice(0)]
    counts.clear()
    await recordRejections(database.pool, counted, kept)
  }
  const flushQuietly = () =>
    flush().catch((error: unknown) =>
      log.warn({ reason: String(error) }, 'refused deliveries could not be recorded'),
    )
  const timer = setInterval(flushQuietly, flushEveryMs)
  return {
    note: (reason, request) => {
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
      if (
        reason === 'probe' ||
        samples.filter((sample) => sample.reason === reason).length >= samplesPerFlush
      )
        return
      samples.push(sampleOf(reason, request))
    },
    flush,
    stop: async () => {
      clearInterval(timer)
      await flushQuietly()
    },
  }
}
