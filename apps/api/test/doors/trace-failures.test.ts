import { once } from 'node:events'
import { claimPort } from '@meridian/process'
import { startCollector } from '@meridian/tracing/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand, startApi } from '../world/api-process.ts'
import { Phone } from '../world/phone.ts'
import { environmentFor } from '../world/test-world.ts'
import { useDatabase, usePlatform } from '../world/use-opened.ts'

const platform = usePlatform()
const database = useDatabase()

/** Says as the program ends how many files of the library it had loaded. */
const countsLibrary = `data:text/javascript,${encodeURIComponent(
  `import { createRequire } from 'node:module'
   process.on('exit', () => {
     const loaded = Object.keys(createRequire('/').cache).filter((file) => file.includes('@opentelemetry/sdk-trace/'))
     process.stderr.write('library files: ' + loaded.length + '\\n')
   })`,
)}`

const start = (more: Record<string, string>) =>
  startApi({
    platform,
    databaseUrl: database.databaseUrl,
    more: { ...more, NODE_OPTIONS: `--import=${countsLibrary}` },
  })

const filesIn = (output: string) => Number(/library files: (\d+)/.exec(output)?.[1] ?? Number.NaN)

test('without an endpoint nothing of the library is loaded', async () => {
  const api = await start({ OTEL_SERVICE_NAME: 'anything', OTEL_TRACES_SAMPLER: 'nonsense' })
  await api.stop()
  expect(filesIn(api.output())).toBe(0)
})

/** Where nobody takes spans: a collector that never answers, one that refuses, and a port on which nobody listens. */
const silences = {
  hangs: async () => startCollector('hangs'),
  refuses: async () => startCollector('refuses'),
  'is not there': async () => {
    const { port, release } = await claimPort()
    return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => release() }
  },
}

test.each(Object.entries(silences))(
  'a collector that %s makes nobody wait, and is told of once',
  async (_, open) => {
    const collector = await open()
    onTestFinished(() => collector[Symbol.asyncDispose]())
    const api = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const phone = await Phone.logIn(api.url, platform, 'o-without-a-collector')
    const toldOf = () => api.output().match(/traces are not taken/g)?.length ?? 0
    expect((await phone.order(await phone.buysAndPays())).status).toBe('paid')
    const askedAndTold = async () => {
      const asked = performance.now()
      expect((await phone.call('/subscription')).status).toBe(200)
      // The library itself waits 5 s for the collector.
      expect(performance.now() - asked).toBeLessThan(3_000)
      return toldOf()
    }
    await expect.poll(askedAndTold, { interval: 250 }).toBe(1)
    const ended = once(api.process, 'exit')
    await api.stop()
    // In order: a program that cannot end by itself ends with 1.
    expect(await ended).toEqual([0, null])
    expect(toldOf()).toBe(1)
    expect(filesIn(api.output())).toBeGreaterThan(0)
  },
)

test('settings of traces that cannot be used stop the start, one line each, without their values', async () => {
  const { code, stderr } = await runCommand('../main', {
    env: environmentFor(database.databaseUrl, 1, {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'secret-without-a-name',
      OTEL_TRACES_SAMPLER_ARG: '7',
    }),
  })
  expect(code).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'meridian-api: OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https address',
    expect.stringMatching(/^meridian-api: OTEL_EXPORTER_OTLP_PROTOCOL: must be http\/protobuf or http\/json/),
    'meridian-api: OTEL_TRACES_SAMPLER_ARG: must be from 0 to 1',
    'meridian-api: OTEL_EXPORTER_OTLP_HEADERS: must be key=value pairs, separated by commas',
  ])
})
