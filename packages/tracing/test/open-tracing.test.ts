import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openTracing, orderTraceOf, readTraceSettings, type Tracing, traceFields } from '../src/index.ts'
import { type Collector, startCollector } from '../src/testing/collector.ts'

const request = { name: 'GET /', kind: 'server' } as const
const work = { begin: () => ({ name: 'work', kind: 'client' }) as const }

type Opened = { tracing: Tracing; collector: Collector; failures: { reason: string; times: number }[] }

async function open(more: Record<string, string> = {}, mood?: 'refuses' | 'hangs'): Promise<Opened> {
  const collector = await startCollector(mood)
  onTestFinished(() => collector[Symbol.asyncDispose]())
  const { settings } = readTraceSettings(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      ...more,
    },
    'a-service',
  )
  if (!settings) throw new Error('the settings do not hold')
  const failures: Opened['failures'] = []
  const tracing = await openTracing(settings, (failure) => failures.push(failure))
  return { tracing, collector, failures }
}

test('a channel makes parts of the activity at hand, and nothing where there is none', async () => {
  const { tracing, collector } = await open()
  const channel = tracingChannel('meridian-test:parts')
  onTestFinished(tracing.follow('meridian-test:parts', work))
  await channel.tracePromise(async () => expect(traceFields()).toEqual({}), {})
  const activity = tracing.beginActivity(request)
  await activity.run(async () => {
    expect(traceFields()).toEqual(activity.fields)
    await channel.tracePromise(async () => expect(traceFields()).not.toEqual(activity.fields), {})
    await expect(channel.tracePromise(() => Promise.reject(new Error('secret value')), {})).rejects.toThrow()
  })
  activity.end({ name: 'GET /renamed', attributes: { a: 1 } })
  await tracing.stop()
  const [first, second, root] = collector.spans()
  expect(root).toMatchObject({ name: 'GET /renamed', attributes: { a: 1 }, service: 'a-service' })
  expect(first).toMatchObject({ name: 'work', parentSpanId: root?.spanId, status: { code: 0 } })
  expect(second).toMatchObject({ name: 'work', parentSpanId: root?.spanId, status: { code: 2 } })
  expect(collector.bodies.join()).not.toContain('secret value')
})

test('an activity names each of its orders once, a hundred of them at most', async () => {
  const { tracing, collector } = await open()
  const activity = tracing.beginActivity(request)
  for (let order = 0; order < 300; order += 1) activity.about(`M${order % 150}`)
  activity.end()
  await tracing.stop()
  const root = collector.spans().find(({ name, links }) => name === 'GET /' && links.length > 1)
  expect(root?.links).toHaveLength(100)
  expect(collector.spans()).toHaveLength(101)
})

test('an order is made in a trace of its own, under the ids that follow from its number', async () => {
  const { tracing, collector } = await open()
  const activity = tracing.beginActivity(request)
  activity.run(() => tracing.sawOrder('M1', true))
  tracing.sawOrder('M2', true)
  activity.end()
  await tracing.stop()
  const life = orderTraceOf('M1')
  const [order] = collector.spans().filter(({ name }) => name === 'order')
  expect(order).toMatchObject({ ...life, links: [{ spanId: activity.fields.span_id }] })
  expect(collector.spans().filter(({ name }) => name === 'GET /')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ traceId: life.traceId, parentSpanId: life.spanId }),
      expect.objectContaining({ traceId: activity.fields.trace_id, links: [expect.objectContaining(life)] }),
    ]),
  )
  expect(collector.spans()).toHaveLength(3)
})

test.each([
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 1],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }, 4],
])(
  '%j keeps %i spans of one request that another program traces and one that is ours',
  async (more, kept) => {
    const { tracing, collector } = await open(more)
    const parent = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 1 }
    const theirs = tracing.beginActivity({ ...request, parent })
    expect(theirs.traceparent).toMatch(new RegExp(`^00-${parent.traceId}-[0-9a-f]{16}-0[01]$`))
    theirs.end()
    const ours = tracing.beginActivity(request)
    ours.run(() => tracing.sawOrder('M1', true))
    ours.end()
    await tracing.stop()
    expect(collector.spans()).toHaveLength(kept)
  },
)

test('the life of an order is kept or left out by every process alike', async () => {
  const numbers = Array.from({ length: 400 }, (_, number) => `M${number}`)
  const keptBy = async () => {
    const half = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }
    const { tracing, collector } = await open(half)
    for (const number of numbers) {
      const activity = tracing.beginActivity(request)
      activity.about(number)
      activity.end()
    }
    await tracing.stop()
    return collector.spans().flatMap(({ attributes }) => attributes['meridian.out_trade_no'] ?? [])
  }
  const [one, other] = await Promise.all([keptBy(), keptBy()])
  expect(one.length).toBeGreaterThan(100)
  expect(one.length).toBeLessThan(300)
  expect(other.sort()).toEqual(one.sort())
})

test('a collector that refuses is told of at once, then at most once a minute', async () => {
  const { tracing, failures } = await open({}, 'refuses')
  for (let batch = 0; batch < 3; batch += 1)
    for (let span = 0; span < 256; span += 1) tracing.beginActivity(request).end()
  await tracing.stop()
  expect(failures).toEqual([{ reason: expect.any(String), times: 1 }])
})

test('what is sent by default is protobuf', async () => {
  const { tracing, collector } = await open({ OTEL_EXPORTER_OTLP_PROTOCOL: '' })
  tracing.beginActivity(request).end()
  await tracing.stop()
  expect(collector.headers.map((given) => given['content-type'])).toEqual(['application/x-protobuf'])
})

test('who stops waits two seconds for a collector that hangs, where the library would wait five', async () => {
  const { tracing } = await open({}, 'hangs')
  tracing.beginActivity(request).end()
  // Timers of one process go off in their order, however busy the machine is.
  const late = pause(4_000, 'late')
  expect(await Promise.race([tracing.stop().then(() => 'in time'), late])).toBe('in time')
})
