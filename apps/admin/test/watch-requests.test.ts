import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { openTracing, readTraceSettings, type Tracing } from '@meridian/tracing'
import { startCollector } from '@meridian/tracing/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openServer } from '../src/server/http-servers.ts'
import { watchRequests } from '../src/server/watch-requests.ts'

const theirs = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`

/** A console that answers everything at once, and keeps what Next would be given and what the log gets. */
async function openConsole(traces: Tracing | null) {
  const lines: Record<string, unknown>[] = []
  const given: IncomingHttpHeaders[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)))
    return true
  })
  const watch = watchRequests(traces, (pathname) =>
    pathname.startsWith('/orders/') ? '/orders/[outTradeNo]' : null,
  )
  const server = openServer()
  server.on('request', (request, response) =>
    watch({ request, response, address: '203.0.113.7' }, async () => {
      given.push({ ...request.headers })
      response.end('page')
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    stdout.mockRestore()
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers })
  return { ask, given, lines }
}

test('each request is a line of the log under the id that the API is given, without its query', async () => {
  const { ask, given, lines } = await openConsole(null)
  await ask('/orders/M1?search=somebody', { traceparent: theirs })
  await ask('/api/trpc/order.list,order.count?input=x', { 'x-request-id': 'from-a-proxy-1' })
  await expect.poll(() => lines).toHaveLength(2)
  const line = { level: 30, msg: 'request', method: 'GET', status: 200, address: '203.0.113.7' }
  expect(lines).toEqual([
    expect.objectContaining({ ...line, path: '/orders/M1', reqId: given[0]?.['x-request-id'] }),
    expect.objectContaining({ ...line, path: '/api/trpc/order.list,order.count', reqId: 'from-a-proxy-1' }),
  ])
  expect(JSON.stringify(lines)).not.toMatch(/somebody|trace_id/)
  expect(given[0]?.['x-request-id']).toMatch(/^[\w-]{36}$/)
})

test('files and probes are no lines of the log, and a browser gives the API no trace', async () => {
  const { ask, given, lines } = await openConsole(null)
  for (const path of ['/_next/static/chunk.js', '/healthz', '/favicon.ico', '/orders/M1'])
    await ask(path, { traceparent: theirs })
  await expect.poll(() => lines).toHaveLength(1)
  expect(given.map(({ traceparent }) => traceparent)).toEqual([undefined, undefined, undefined, undefined])
})

test('where traces are on, a request is a span by the name of its page, which the API is told to go on with', async () => {
  const collector = await startCollector()
  onTestFinished(() => collector[Symbol.asyncDispose]())
  const { settings } = readTraceSettings(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    'meridian-console',
  )
  const traces = settings && (await openTracing(settings, () => undefined))
  const { ask, given, lines } = await openConsole(traces)
  await ask('/orders/M1?search=somebody', { traceparent: theirs })
  await ask('/api/trpc/order.list')
  await ask('/api/trpc/order.list,order.count')
  await ask('/nowhere')
  await expect.poll(() => lines).toHaveLength(4)
  await traces?.stop()
  const spans = collector.spans()
  expect(spans.map(({ name }) => name)).toEqual([
    'GET /orders/[outTradeNo]',
    'GET /api/trpc/order.list',
    'GET /api/trpc/several',
    'GET unknown',
  ])
  expect(given.map(({ traceparent }) => traceparent)).toEqual(
    spans.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  )
  expect(lines.map((line) => [line['trace_id'], line['span_id']])).toEqual(
    spans.map(({ traceId, spanId }) => [traceId, spanId]),
  )
  expect(collector.bodies.join()).not.toMatch(/somebody|abababab/)
  expect(spans[0]).toMatchObject({
    service: 'meridian-console',
    attributes: { 'http.response.status_code': 200 },
  })
})
