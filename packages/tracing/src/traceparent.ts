import type { SpanContext } from '@opentelemetry/api'

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** Reads a `traceparent` header (W3C Trace Context, level 1); undefined where it is none. */
export function readTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = (typeof header === 'string' ? form.exec(header) : null) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** The header that makes what another program does a part of this span. */
export const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`
