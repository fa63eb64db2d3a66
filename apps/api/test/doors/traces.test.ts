import { randomUUID } from 'node:crypto'
import { openPool } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { type Platform, startPlatform } from '@meridian/payments/testing'
import { orderTraceOf } from '@meridian/tracing'
import { type Collector, type ReceivedSpan, startCollector } from '@meridian/tracing/testing'
import { SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { type ApiProcess, startApi } from '../world/api-process.ts'
import { call, Phone } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'
import { environmentFor } from '../world/test-world.ts'
import { useOpened } from '../world/use-opened.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

const headers = { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-00` }
const strangers = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }

type Traced = { platform: Platform; api: ApiProcess; collector: Collector; databaseUrl: string }

const tracesTo = ({ url }: Collector) => ({
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=secret%20of%20the%20collector',
})

/** An API as a program whose spans come to a collector of ours. */
async function openTraced(): Promise<Traced & AsyncDisposable> {
  const [platform, database, collector] = await Promise.all([
    startPlatform({ keys: platformKeys() }),
    cloneDatabase(),
    startCollector(),
  ])
  const { databaseUrl } = database
  const api = await startApi({ platform, databaseUrl, more: tracesTo(collector) })
  return {
    platform,
    api,
    collector,
    databaseUrl,
    [Symbol.asyncDispose]: async () => {
      await api.stop()
      await Promise.all([platform.stop(), database.drop(), collector[Symbol.asyncDispose]()])
    },
  }
}

const world = useOpened(openTraced)

const spansOf = (name: string) => world.collector.spans().filter((span) => span.name === name)

/** The only span of this name, once it has come. */
async function spanOf(name: string): Promise<ReceivedSpan> {
  await expect.poll(() => spansOf(name).length, { message: name }).toBeGreaterThan(0)
  const [span] = spansOf(name)
  if (!span) throw new Error(`no span ${name}`)
  return span
}
const idsOf = ({ traceId, spanId }: ReceivedSpan) => ({ traceId, spanId })
const partsOf = ({ traceId, spanId }: ReceivedSpan) =>
  world.collector.spans().filter((span) => span.traceId === traceId && span.parentSpanId === spanId)

const inLife = (outTradeNo: string) => {
  const { traceId } = orderTraceOf(outTradeNo)
  return world.collector.spans().filter((span) => span.traceId === traceId)
}
const namesInLife = (outTradeNo: string) => inLife(outTradeNo).map(({ name }) => name)

test('a purchase, its notification and its job are traces with their statements and calls, linked by the life of the order', async () => {
  const openid = `o${randomUUID()}`
  const phone = await Phone.logIn(world.api.url, world.platform, openid)
  const outTradeNo = await phone.buysAndPays()
  await phone.call(`/subscription/orders/${outTradeNo}`, { headers })
  const life = orderTraceOf(outTradeNo)
  const names = [
    'POST /api/v1/subscription/purchase',
    'POST /api/v1/payment/notify',
    'job follow_payments',
    'GET /api/v1/subscription/orders/:out_trade_no',
  ]
  const visits = await Promise.all(names.map(spanOf))
  for (const visit of visits) {
    expect(visit).toMatchObject({ service: 'meridian-api' })
    expect(visit.links).toContainEqual(life)
    expect(visit.parentSpanId).toBeFalsy()
  }
  expect(new Set([life.traceId, ...visits.map(({ traceId }) => traceId)]).size).toBe(5)

  const [purchase, notified, followed, shown] = visits
  if (!purchase || !notified || !followed || !shown) throw new Error('a visit is missing')
  await expect
    .poll(() => partsOf(purchase).map(({ name }) => name))
    .toEqual(
      // After a prepay that took long, the statement that keeps it also plans when the platform is asked: `-and-ask`.
      expect.arrayContaining([
        'open-order',
        'payment prepay',
        expect.stringMatching(/^move-order-prepare(-and-ask)?$/),
      ]),
    )
  await expect.poll(() => partsOf(notified).map(({ name }) => name)).toContain('pay-agreed')
  await expect.poll(() => partsOf(followed).length).toBeGreaterThan(0)
  expect(shown.links).toContainEqual(strangers)

  await expect.poll(() => namesInLife(outTradeNo)).toEqual(expect.arrayContaining(['order', ...names]))
  for (const span of inLife(outTradeNo)) {
    expect(span.attributes['meridian.out_trade_no']).toBe(outTradeNo)
    if (span.name === 'order') expect(span).toMatchObject({ ...life, links: [idsOf(purchase)] })
    else expect(span.parentSpanId).toBe(life.spanId)
  }
  for (const visit of visits)
    expect(inLife(outTradeNo).map(({ links }) => links)).toContainEqual([idsOf(visit)])

  const sent = world.collector.bodies.join()
  const secrets = Object.values(environmentFor(world.databaseUrl, 1)).filter((value) => value.length > 20)
  for (const secret of [...secrets, openid, phone.tokens.access_token, phone.tokens.refresh_token])
    expect(sent).not.toContain(secret)
  expect(sent).not.toMatch(/access_token=|js_code|prepay_id=|"password"|Bearer|WECHATPAY2/)
  for (const given of world.collector.headers)
    expect(given['x-collector-key']).toBe('secret of the collector')
})

test('virtual payment, whose pushes and jobs name an attempt, belongs to the life of the order too', async () => {
  const owner = openPool(world.databaseUrl, { maxConnections: 1 })
  onTestFinished(() => owner.end())
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await owner.query<Row>(sql, values)).rows
  await openVirtualShop({ url: world.api.url, platform: world.platform, query })
  const phone = await Phone.logIn(world.api.url, world.platform, `o${randomUUID()}`)
  const outTradeNo = await phone.buysAndPaysVirtually()
  await expect
    .poll(() => namesInLife(outTradeNo), { timeout: 60_000 })
    .toEqual(
      expect.arrayContaining([
        'order',
        'POST /api/v1/subscription/purchase',
        'POST /api/v1/wechat/push',
        'job follow_payments',
        'job confirm_delivery',
      ]),
    )
  expect(world.collector.bodies.join()).not.toContain(phone.openid)
})

test('a line of the log names the trace of its request', async () => {
  await call(`${world.api.url}/api/v1/subscription/plans`)
  const span = await spanOf('GET /api/v1/subscription/plans')
  const line = world.api
    .output()
    .split('\n')
    .find((text) => text.includes(span.traceId))
  expect(JSON.parse(line ?? 'null')).toMatchObject({
    msg: 'request',
    route: '/api/v1/subscription/plans',
    status: 200,
    trace_id: span.traceId,
    span_id: span.spanId,
    reqId: span.attributes['meridian.request_id'],
  })
})

test('a request of the console goes on with the trace that the console began; nobody else can', async () => {
  const token = await new SignJWT({ address: '203.0.113.7', user_agent: 'test' })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('meridian-console')
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(Buffer.from(environmentFor(world.databaseUrl, 1)['AUTH_SECRET'] ?? ''))
  const sampled = { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` }
  const ask = (more: Record<string, string>) =>
    fetch(`${world.api.url}/trpc/operator.context`, { headers: { ...sampled, ...more } })
  expect((await ask({})).status).toBe(404)
  expect((await ask({ 'x-console-token': token })).status).toBe(401)
  expect(await spanOf('GET /trpc/operator.context')).toMatchObject({
    traceId: strangers.traceId,
    parentSpanId: strangers.spanId,
    attributes: { 'http.response.status_code': 401 },
  })
  expect(spansOf('GET /trpc/operator.context')).toHaveLength(1)
})

test('what watches the program is not traced', async () => {
  await call(`${world.api.url}/healthz`)
  await call(`${world.api.url}/api/v1/diagnosis-config`)
  await spanOf('GET /api/v1/diagnosis-config')
  expect(world.collector.spans().filter(({ name }) => /healthz|readyz/.test(name))).toEqual([])
})
