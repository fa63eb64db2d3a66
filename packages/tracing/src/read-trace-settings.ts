const protocols = ['http/protobuf', 'http/json'] as const
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type SamplerName = (typeof samplers)[number]
type Protocol = (typeof protocols)[number]

/** Where traces go and how many, by the standard variables of OpenTelemetry. */
export type TraceSettings = {
  serviceName: string
  /** Describes this process beside its name: `OTEL_RESOURCE_ATTRIBUTES`. */
  attributes: Readonly<Record<string, string>>
  /** The whole address that takes spans. */
  url: string
  headers: Readonly<Record<string, string>>
  protocol: Protocol
  sampler: SamplerName
  /** The share of traces that the two ratio samplers keep, from 0 to 1. */
  ratio: number
}

type Environment = Readonly<Record<string, string | undefined>>
type Read = { settings: TraceSettings | null; problems: readonly string[] }

const oneOf = <Name extends string>(names: readonly Name[], given: string): Name | undefined =>
  names.find((name) => name === given)

const isHttp = (address: string) =>
  URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol)

/** `key=value,key=value`, values percent-encoded (W3C Baggage without metadata); null where it is none. */
function readPairs(text: string): Record<string, string> | null {
  const pairs = text.split(',').filter((pair) => pair.trim())
  try {
    const read = pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
    })
    return pairs.every((pair) => pair.indexOf('=') > 0) ? Object.fromEntries(read) : null
  } catch {
    return null
  }
}

/** The specification appends the path of the signal to the general address, and takes the one of traces as it is. */
function addressOf(general: string | undefined, ofTraces: string | undefined): string {
  if (ofTraces !== undefined) return ofTraces
  return `${(general ?? '').replace(/\/+$/, '')}/v1/traces`
}

/**
 * Reads the standard variables of OpenTelemetry; no settings where no endpoint is named or the SDK is disabled. An empty
 * value counts as unset. Each problem is one line that names the variable and never its value.
 */
export function readTraceSettings(environment: Environment, defaultServiceName: string): Read {
  const read = (name: string) => environment[name]?.trim() || undefined
  const general = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const ofTraces = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const isOff = read('OTEL_SDK_DISABLED') === 'true' || read('OTEL_TRACES_EXPORTER') === 'none'
  if (isOff || (general ?? ofTraces) === undefined) return { settings: null, problems: [] }

  const problems: string[] = []
  const check = <Value>(name: string, value: Value | null | undefined, must: string): Value | undefined => {
    if (value === null || value === undefined) problems.push(`${name}: must be ${must}`)
    return value ?? undefined
  }
  for (const [name, address] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', general],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ofTraces],
  ] as const)
    if (address !== undefined) check(name, isHttp(address) || null, 'an http or https address')
  const pairsOf = (name: string) =>
    check(name, readPairs(read(name) ?? ''), 'key=value pairs, separated by commas')
  const protocolName = ofTraces ? 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL' : 'OTEL_EXPORTER_OTLP_PROTOCOL'
  const protocol = check(
    protocolName,
    oneOf(protocols, read(protocolName) ?? read('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/protobuf'),
    `${protocols.join(' or ')} (usually port 4318; gRPC is not spoken)`,
  )
  const sampler = check(
    'OTEL_TRACES_SAMPLER',
    oneOf(samplers, read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'),
    `one of ${samplers.join(', ')}`,
  )
  const share = Number(read('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  const ratio = check('OTEL_TRACES_SAMPLER_ARG', share >= 0 && share <= 1 ? share : null, 'from 0 to 1')
  const headers = pairsOf('OTEL_EXPORTER_OTLP_HEADERS')
  const attributes = pairsOf('OTEL_RESOURCE_ATTRIBUTES')
  if (!protocol || !sampler || ratio === undefined || !headers || !attributes || problems.length > 0)
    return { settings: null, problems }
  const serviceName = read('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? defaultServiceName
  const url = addressOf(general, ofTraces)
  return { settings: { serviceName, attributes, url, headers, protocol, sampler, ratio }, problems }
}
