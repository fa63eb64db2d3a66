import { expect, test } from 'vitest'
import { readTraceSettings } from '../src/index.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
const read = (environment: Record<string, string>) => readTraceSettings(environment, 'meridian-api')

test('traces are off without an endpoint, whatever else is set, and where the SDK is disabled', () => {
  const off = { settings: null, problems: [] }
  expect(read({ OTEL_TRACES_SAMPLER: 'nonsense', OTEL_SERVICE_NAME: 'x' })).toEqual(off)
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toEqual(off)
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toEqual(off)
  expect(read({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toEqual(off)
})

test('an endpoint is enough', () => {
  expect(read(endpoint)).toEqual({
    problems: [],
    settings: {
      serviceName: 'meridian-api',
      attributes: {},
      url: 'http://collector:4318/v1/traces',
      headers: {},
      protocol: 'http/protobuf',
      sampler: 'parentbased_always_on',
      ratio: 1,
    },
  })
})

test('the standard variables say where, how, under which name, and how many', () => {
  const { settings } = read({
    ...endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/ingest',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-tenant=7',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production,service.name=shop',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  expect(settings).toEqual({
    serviceName: 'shop',
    attributes: { 'deployment.environment.name': 'production', 'service.name': 'shop' },
    url: 'https://traces.example/ingest',
    headers: { authorization: 'Bearer a=b', 'x-tenant': '7' },
    protocol: 'http/json',
    sampler: 'parentbased_traceidratio',
    ratio: 0.25,
  })
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://collector:4317'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a-key-without-a-value'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'nothing'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_TRACES_SAMPLER_ARG', 'half'],
])('%s=%s is refused by one line that does not repeat it', (name, value) => {
  const { settings, problems } = read({ ...endpoint, [name]: value })
  expect(settings).toBeNull()
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: must be `))])
  expect(problems.join()).not.toContain(value === 'grpc' ? '=grpc' : `${value} `)
})
