import { createHash } from 'node:crypto'

/** The two ids of a span, in hexadecimal: 32 and 16 digits. */
export type SpanIds = { traceId: string; spanId: string }

/**
 * The trace of an order's life and its first span. They follow from the order's number, so that every process links to
 * them without having been told, and nothing is stored: SHA-256 of `meridian order <out_trade_no>`, 16 and 8 bytes of it.
 */
export function orderTraceOf(outTradeNo: string): SpanIds {
  const digest = createHash('sha256').update(`meridian order ${outTradeNo}`).digest('hex')
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}
