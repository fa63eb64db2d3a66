import { randomUUID } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'
import type { Sampler, SpanProcessor } from '@opentelemetry/sdk-trace'
import { orderTraceOf, type SpanIds } from './order-trace.ts'
import type { TraceSettings } from './read-trace-settings.ts'
import type { Library } from './spans.ts'

/** The library is read here, and only here, so that a program without traces neither loads nor holds it. */
export async function loadModules({ protocol }: TraceSettings) {
  const [api, sdk, resources, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
  ])
  return { api, sdk, resources, Exporter: exporter.OTLPTraceExporter }
}
export type Modules = Awaited<ReturnType<typeof loadModules>>

const longestValue = 1_024

/** Who decides about a trace that begins here, and who about one that another program began. */
function samplersOf({ sdk }: Modules, { sampler: name, ratio }: TraceSettings) {
  const plain = name.replace('parentbased_', '')
  const samplers: Readonly<Record<string, Sampler>> = {
    always_off: new sdk.AlwaysOffSampler(),
    traceidratio: new sdk.TraceIdRatioBasedSampler(ratio),
  }
  const root = samplers[plain] ?? new sdk.AlwaysOnSampler()
  return { root, sampler: plain === name ? root : new sdk.ParentBasedSampler({ root }) }
}

/** Random ids, but for the one span that is opened under given ones. */
function openIds({ sdk }: Modules) {
  const random = new sdk.RandomIdGenerator()
  let given: SpanIds | null = null
  return {
    generator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    },
    openUnder: <Span>(ids: SpanIds, open: () => Span): Span => {
      given = ids
      try {
        return open()
      } finally {
        given = null
      }
    },
  }
}

const resourceOf = ({ resources }: Modules, { attributes, serviceName }: TraceSettings) =>
  resources.defaultResource().merge(
    resources.resourceFromAttributes({
      'service.instance.id': randomUUID(),
      ...attributes,
      'service.name': serviceName,
    }),
  )

/** Opens what makes spans and gives those that are sampled to `processor`. */
export function openLibrary(modules: Modules, settings: TraceSettings, processor: SpanProcessor) {
  const { api, sdk } = modules
  const ids = openIds(modules)
  const { root, sampler } = samplersOf(modules, settings)
  const provider = new sdk.TracerProvider({
    resource: resourceOf(modules, settings),
    sampler,
    idGenerator: ids.generator,
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('meridian')
  const { SERVER, CLIENT, CONSUMER, INTERNAL } = api.SpanKind
  const { RECORD_AND_SAMPLED } = api.SamplingDecision
  const isSampled = (traceId: string) =>
    root.shouldSample(api.ROOT_CONTEXT, traceId, '', INTERNAL, {}, []).decision === RECORD_AND_SAMPLED
  const library: Library = {
    tracer,
    kinds: { server: SERVER, client: CLIENT, consumer: CONSUMER, internal: INTERNAL },
    errorStatus: { code: api.SpanStatusCode.ERROR },
    nowhere: api.ROOT_CONTEXT,
    within: (span) => api.trace.setSpan(api.ROOT_CONTEXT, span),
    beneath: (span) => api.trace.setSpanContext(api.ROOT_CONTEXT, span),
    orderSpanOf: (outTradeNo): SpanContext => {
      const order = orderTraceOf(outTradeNo)
      const traceFlags = isSampled(order.traceId) ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE
      return { ...order, traceFlags, isRemote: true }
    },
    openOrderSpan: (order, options) =>
      ids.openUnder(order, () => tracer.startSpan('order', options, api.ROOT_CONTEXT)),
  }
  return { library, close: () => provider.shutdown() }
}
