import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Context, Link, Span, SpanContext, SpanKind, Tracer } from '@opentelemetry/api'

/** What a span says of itself at its beginning. */
export type Begun = {
  name: string
  kind: 'server' | 'client' | 'consumer' | 'internal'
  attributes?: Attributes
  /** Another program's span that this is a part of. */
  parent?: SpanContext | undefined
  /** Another program's span that has to do with this, and is not trusted to be its parent. */
  link?: SpanContext | undefined
}

/** What a span says of itself at its end. */
export type Ended = { attributes?: Attributes; failed?: boolean }

export type TraceFields = { trace_id: string; span_id: string }

/** The first span of one request or one job in this program, and the orders it is about. */
export type Root = { span: Span; name: string; startedAt: number; orders: Set<string> }
export type Scope = { span: Span; root: Root }

/** What opens spans: the library, loaded. */
export type Library = {
  tracer: Tracer
  kinds: Readonly<Record<Begun['kind'], SpanKind>>
  errorStatus: Parameters<Span['setStatus']>[0]
  /** The context whose span is this one. */
  within: (span: Span) => Context
  /** The context of a span of another process. */
  beneath: (span: SpanContext) => Context
  /** The context of no span. */
  nowhere: Context
  /** The first span of an order's life, and whether it is traced. */
  orderSpanOf: (outTradeNo: string) => SpanContext
  /** Opens the first span of an order's life, under the ids that follow from its number. */
  openOrderSpan: (order: SpanContext, options: OrderSpan) => Span
}
type OrderSpan = { attributes: Attributes; links: Link[]; startTime: number }

/** What runs now is a part of this. */
export const here = new AsyncLocalStorage<Scope | undefined>()

export const fieldsOf = (span: Span): TraceFields => {
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}

/** The trace and the span that runs here, as fields of a line of the log; none where nothing is traced. */
export function traceFields(): TraceFields | Record<string, never> {
  const scope = here.getStore()
  return scope ? fieldsOf(scope.span) : {}
}

/** Begins what belongs to nothing in this program yet. */
export function beginRoot({ tracer, kinds, beneath, nowhere }: Library, begun: Begun): Scope {
  const { name, kind, attributes, parent, link } = begun
  const options = {
    kind: kinds[kind],
    links: link ? [{ context: link }] : [],
    ...(attributes && { attributes }),
  }
  const span = tracer.startSpan(name, options, parent ? beneath(parent) : nowhere)
  return { span, root: { span, name, startedAt: Date.now(), orders: new Set() } }
}

export function beginPart({ tracer, kinds, within }: Library, { span, root }: Scope, begun: Begun): Scope {
  const { name, kind, attributes } = begun
  const options = { kind: kinds[kind], ...(attributes && { attributes }) }
  return { span: tracer.startSpan(name, options, within(span)), root }
}

export function close({ errorStatus }: Library, span: Span, { attributes, failed }: Ended): void {
  if (attributes) span.setAttributes(attributes)
  if (failed) span.setStatus(errorStatus)
  span.end()
}
