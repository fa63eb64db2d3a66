import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setInterval } from 'node:timers/promises'
import { problems } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../src/config.ts'
import { toDomainError } from '../../src/doors/problem.ts'
import { plantKey } from '../world/api-key.ts'
import { expectRefused } from '../world/expect-refused.ts'
import { type Answer, call, codeOf, type Phone } from '../world/phone.ts'
import { environmentFor, openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let phone: Phone
/** Begun first and looked at last: their end takes as long as we let a request take. */
let neverEnding: Promise<string>
let neverDelivered: Promise<string>

beforeAll(async () => {
  neverEnding = speak('GET /api/v1/me HTTP/1.1\r\nhost: x\r\n')
  neverDelivered = speak(`${deliveryHead}content-length: 99\r\n\r\n{"half"`)
  phone = await world.phone()
})

const deliveryHead = 'POST /api/v1/payment/notify HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

const api = (path: string, request: Parameters<typeof call>[1] = {}) =>
  call(`${world.url}/api/v1${path}`, request)

const Operations = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ tags: z.array(z.string()) }))),
})
const someOrder = 'M01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** What the platform calls, and the document itself. */
const apart = ['platform', 'document']

/** Every operation for phones that the document declares, with parameters filled in. */
async function everyOperation(): Promise<{ method: string; path: string }[]> {
  const { paths } = Operations.parse((await api('/openapi.json')).body)
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(
      ([
        method,
        {
          tags: [tag = ''],
        },
      ]) =>
        apart.includes(tag)
          ? []
          : [
              {
                method: method.toUpperCase(),
                path: path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, someOrder),
              },
            ],
    ),
  )
}

/** What a raw connection answers to these bytes. */
async function speak(bytes: string): Promise<string> {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return text(socket)
}

test('what spoils a request after it was answered gets no second answer', async () => {
  const spoiled = `GET /api/v1/me% HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nZZZ\r\n`
  expect((await speak(spoiled)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
})

/** Sends pieces at a pace, as a phone at the edge of its network does, and gives back the answer. */
async function speakSlowly(pieces: readonly string[], everyMs: number): Promise<string> {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const answer = text(socket)
  for await (const _ of setInterval(everyMs)) {
    const [piece, ...rest] = pieces
    if (piece === undefined || !socket.writable) break
    socket.write(piece)
    pieces = rest
  }
  return answer
}

test('a body that comes slowly but steadily is read to its end', async () => {
  const body = JSON.stringify({ code: 'x'.repeat(60 * 1024) })
  const head = `POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n`
  const pieces = Array.from({ length: 13 }, (_, n) => body.slice(n * 5000, (n + 1) * 5000))
  const answer = await speakSlowly([`${head}content-length: ${body.length}\r\n\r\n`, ...pieces], 450)
  expect(answer).toContain('"path":"code"')
})

// The shape of a problem -----------------------------------------------------------------------------------

const documentOf = (answer: Answer, said: { status: number; code: string; title: string }) => ({
  ...said,
  type: expect.stringMatching(new RegExp(`#${said.code}$`)),
  detail: said.title,
  request_id: answer.headers.get('x-request-id'),
})

test('a problem is a document of RFC 9457 with our code and the id of the request', async () => {
  const answer = await api('/nothing-here')
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect([answer.status, answer.body]).toEqual([
    404,
    documentOf(answer, { status: 404, code: 'not_found', title: '找不到该资源' }),
  ])
})

test.each([
  ['nothing', undefined, 'zh'],
  ['en', 'en', 'en'],
  ['en-US,en;q=0.9,zh;q=0.8', 'en-US,en;q=0.9,zh;q=0.8', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en;q=0.1, zh-TW;q=0.2', 'en;q=0.1, zh-TW;q=0.2', 'zh'],
  ['a language we do not speak', 'fr', 'zh'],
  ['anything but English', 'en;q=0', 'zh'],
  ['nonsense', ';;;,q=,=', 'zh'],
] as const)(
  'a client that asks for %s reads its problems in the language it understands',
  async (_what, header, language) => {
    const answer = await fetch(`${world.url}/api/v1/me`, {
      headers: header ? { 'accept-language': header } : {},
    })
    const title = problems.unauthenticated[language]
    expect(await answer.json()).toMatchObject({ title, detail: title })
  },
)

const reportLike = (changes: object) => ({
  client_report_id: 'r',
  kind: 'scan',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:10:00Z',
  summary: {},
  measurements: [],
  ...changes,
})

test.each([
  [
    'a field of the wrong type',
    { method: 'POST', path: '/subscription/purchase', body: { plan_code: 1 } },
    {
      path: 'plan_code',
      zh: '无效输入：期望 string，实际接收 数字',
      en: 'Invalid input: expected string, received number',
    },
  ],
  [
    'no body at all',
    { method: 'POST', path: '/subscription/purchase', body: undefined },
    {
      path: 'body',
      zh: '无效输入：期望 object，实际接收 空值(null)',
      en: 'Invalid input: expected object, received null',
    },
  ],
  [
    'a header that is no key',
    { method: 'POST', path: '/subscription/purchase', body: { plan_code: 'monthly' }, key: 'no key' },
    {
      path: 'idempotency-key',
      zh: /^无效字符串：必须满足正则表达式/,
      en: /^Invalid string: must match pattern/,
    },
  ],
  [
    'a limit beyond its bounds',
    { method: 'GET', path: '/subscription/orders?limit=101', body: undefined },
    { path: 'limit', zh: /^数值过大：期望 number <=100/, en: /^Too big: expected number to be <=100/ },
  ],
  [
    'a cursor of another list',
    { method: 'GET', path: '/subscription/orders?cursor=x', body: undefined },
    { path: 'cursor', zh: '不是本列表的游标', en: 'is not a cursor of this list' },
  ],
  [
    'a rule of our own',
    { method: 'POST', path: '/reports', body: reportLike({ ended_at: '2025-01-01T00:00:00Z' }) },
    { path: 'ended_at', zh: '不得早于 started_at', en: 'must not lie before started_at' },
  ],
  [
    'a hundred thousand wrong measurements',
    { method: 'POST', path: '/reports', body: reportLike({ measurements: Array(100_000).fill(0) }) },
    { path: 'measurements', zh: '每一项都必须是对象', en: 'must be objects' },
  ],
])('%s is explained in the language of the client', async (_what, { method, path, body, ...more }, told) => {
  const headers = 'key' in more ? { 'idempotency-key': more.key } : {}
  const ask = async (language: string) =>
    Object(
      (await phone.call(path, { method, body, headers: { ...headers, 'accept-language': language } })).body,
    )
  const saying = (words: string | RegExp) => ({
    errors: [{ path: told.path, message: typeof words === 'string' ? words : expect.stringMatching(words) }],
  })
  const answers = await Promise.all(['zh-CN', 'en', 'zh-CN', 'en'].map(ask))
  for (const [index, words] of [told.zh, told.en, told.zh, told.en].entries())
    expect(answers[index]).toMatchObject(saying(words))
})

// Bodies ---------------------------------------------------------------------------------------------------

test.each([
  ['half an object', '{"code":'],
  ['no JSON', 'code=1'],
  ['a prototype to poison', '{"__proto__": {"code": "x"}, "code": "y"}'],
  ['a constructor to poison', '{"constructor": {"prototype": {"code": "x"}}, "code": "y"}'],
])('a body that is %s is malformed', async (_what, body) => {
  expectRefused(await api('/auth/login', { method: 'POST', body }), 400, 'malformed_json')
})

test.each(['null', '[]', '"text"', '1', 'true'])('a body that is %s is an invalid request', async (body) => {
  expectRefused(await api('/auth/login', { method: 'POST', body }), 400, 'invalid_request')
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
])('a body of type %s is unsupported', async (type) => {
  const answer = await api('/auth/login', {
    method: 'POST',
    body: '{"code":"x"}',
    headers: { 'content-type': type },
  })
  expectRefused(answer, 415, 'unsupported_media_type')
})

test('a body of more than 64 KiB is too large, of just 64 KiB is not', async () => {
  const ofBytes = (bytes: number) => JSON.stringify({ code: 'x'.repeat(bytes - '{"code":""}'.length) })
  expectRefused(await api('/auth/login', { method: 'POST', body: ofBytes(65_537) }), 413, 'payload_too_large')
  expectRefused(await api('/auth/login', { method: 'POST', body: ofBytes(65_536) }), 400, 'invalid_request')
})

test('an empty body counts as no body on every operation, whatever the content type says', async () => {
  const operations = await everyOperation()
  expect(operations.length).toBeGreaterThanOrEqual(11)
  for (const { method, path } of operations) {
    // Given once an hour: it cannot be asked twice.
    if (path === '/me/export') continue
    const headers = { authorization: `Bearer ${phone.tokens.access_token}` }
    const nameless = (body: unknown) => ({ ...Object(body), request_id: '' })
    const bare = await fetch(`${phone.api}${path}`, { method, headers })
    const typed = await phone.call(path, { method, headers })
    expect([method, path, typed.status, nameless(typed.body)]).toEqual([
      method,
      path,
      bare.status,
      nameless(await bare.json()),
    ])
    expect(typed.status).not.toBe(500)
    if (typed.status === 400) expect([path, codeOf(typed)]).toEqual([path, 'invalid_request'])
  }
})

// Paths and methods ----------------------------------------------------------------------------------------

test.each([
  '/',
  '/nothing',
  '/ME',
  '/me/',
  '//me',
  '/me/..%2fme',
  '/subscription/orders/x/y',
  '/subscription/plans.json',
])('the path %s does not exist', async (path) => {
  expectRefused(await phone.call(path), 404, 'not_found')
})

test('outside /api/v1 nothing else is served', async () => {
  for (const path of ['/', '/api', '/api/v2/me', '/metrics', '/console', '/trpc', '/.env', '/me'])
    expectRefused(await call(`${world.url}${path}`), 404, 'not_found')
})

test('every path refuses the methods it does not know and names those it does', async () => {
  const operations = await everyOperation()
  const known = new Map<string, Set<string>>()
  for (const { method, path } of operations) known.set(path, (known.get(path) ?? new Set()).add(method))
  for (const [path, methods] of known)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      // The export would be spent on a HEAD.
      const hasHead = methods.has('GET') && path !== '/me/export'
      if (methods.has(method) || (method === 'HEAD' && hasHead)) continue
      const answer = await api(path, { method })
      const allow = [...methods, ...(hasHead ? ['HEAD'] : [])].sort().join(', ')
      const code = method === 'HEAD' ? 'method_not_allowed' : codeOf(answer)
      expect([method, path, answer.status, code, answer.headers.get('allow')]).toEqual([
        method,
        path,
        405,
        'method_not_allowed',
        allow,
      ])
    }
})

/** An answer to bytes: its status, what it allows, and its body. */
async function allowedBy(method: string, path: string) {
  const answer = await speak(`${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return {
    status: Number(head.slice(9, 12)),
    allow: /^allow: (.*)$/im.exec(head)?.[1],
    body: body === '' ? null : JSON.parse(body),
  }
}

test('TRACE is a method that no path knows', async () => {
  expect(await allowedBy('TRACE', '/api/v1/subscription/plans')).toMatchObject({
    status: 405,
    allow: 'GET, HEAD',
    body: { code: 'method_not_allowed' },
  })
})

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
  '%s where the platform notifies is refused as the platform knows it, and names POST',
  async (method) => {
    const body = { code: 'FAIL', message: 'method not allowed' }
    for (const path of ['/api/v1/payment/notify', '/api/v1/payment/notify?again=1'])
      expect(await allowedBy(method, path)).toEqual({ status: 405, allow: 'POST', body })
  },
)

test('HEAD answers what GET answers, without the body', async () => {
  const [head, get] = [
    await phone.call('/subscription/plans', { method: 'HEAD' }),
    await phone.call('/subscription/plans'),
  ]
  expect([head.status, head.body]).toEqual([200, ''])
  for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'content-length'])
    expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
  expect((await api('/me', { method: 'HEAD' })).status).toBe(401)
  expect((await api('/auth/login', { method: 'HEAD' })).status).toBe(405)
})

// Request ids ----------------------------------------------------------------------------------------------

test.each(['abc', 'A-Z_09.x', '0f8fad5b-d9cb-469f-a165-70867728950e', 'x'.repeat(128)])(
  'every answer carries a request id of ours, not the %s of a stranger',
  async (id) => {
    for (const path of ['/me', '/nothing', '/subscription/orders/%E0%A4%A', '/subscription/plans']) {
      const answer = await api(path, { headers: { 'x-request-id': id } })
      expect([path, answer.headers.get('x-request-id')]).toEqual([
        path,
        expect.stringMatching(/^[0-9a-f-]{36}$/),
      ])
      expect(answer.headers.get('x-request-id')).not.toBe(id)
    }
  },
)

test.each(['', 'a b', 'x'.repeat(129), '<script>', '"};', '../../etc', 'é', 'a,b'])(
  'the request id "%s" is replaced by one of ours',
  async (id) => {
    const answer = await api('/me', { headers: { 'x-request-id': id } })
    const given = answer.headers.get('x-request-id')
    expect(given).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(answer.body).toMatchObject({ request_id: given })
  },
)

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n'],
  ['headers beyond all measure', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`],
  [
    'two lengths',
    'POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
  ],
  [
    'a chunked body of a length',
    'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n',
  ],
])('%s is answered by a problem with a request id, and the connection ends', async (_what, bytes) => {
  const answer = await speak(bytes)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/)
  expect(answer).toContain('"code":"invalid_request"')
})

test('a client that expects what nobody knows gets its answer all the same', async () => {
  const answer = await speak(
    'GET /api/v1/subscription/plans HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\nconnection: close\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('a client that hangs up half-way through its body is not taken for a lost database', () => {
  const verdictOn = (message: string) =>
    toDomainError(Object.assign(new Error(message), { code: 'ECONNRESET' })).code
  expect([verdictOn('aborted'), verdictOn('read ECONNRESET')]).toEqual([
    'invalid_request',
    'service_unavailable',
  ])
})

test('a connection that broke before it was asked, or leads nowhere, is a lost database and no bug', () => {
  const broken = new Error('Client has encountered a connection error and is not queryable')
  const unreachable = Object.assign(new Error('connect'), { code: 'EHOSTUNREACH' })
  for (const error of [broken, unreachable]) expect(toDomainError(error).code).toBe('service_unavailable')
})

// Nothing internal -----------------------------------------------------------------------------------------

test('an error of ours tells the client a request id and nothing else', async () => {
  await world.query('ALTER TABLE subscriptions RENAME TO hidden_away')
  const answer = await phone.call('/subscription', {
    headers: { 'accept-language': 'en' },
    undeclared: true,
  })
  await world.query('ALTER TABLE hidden_away RENAME TO subscriptions')
  expect([answer.status, answer.body]).toEqual([
    500,
    documentOf(answer, { status: 500, code: 'internal_error', title: 'Internal error' }),
  ])
})

test('a database that takes no connections is 503 on every operation, says when to come back and leaks nothing', async () => {
  await using failing = await openTestWorld()
  const caller = await failing.phone()
  const key = await plantKey(failing)
  const operations = await everyOperation()
  const name = new URL(failing.databaseUrl).pathname.slice(1)
  const others =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()'
  await world.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`)
  await world.query(others, [name])
  const bodies: Record<string, unknown> = {
    '/auth/login': { code: failing.platform.loginCode('oSomebody') },
    '/auth/refresh': { refresh_token: 'x' },
    '/auth/logout': { refresh_token: 'x' },
    '/subscription/purchase': { plan_code: 'monthly' },
  }
  for (const { method, path } of operations) {
    const token = path.startsWith('/integration/') ? { token: key } : {}
    const answer = await caller.call(path, { method, body: bodies[path], ...token })
    expect([method, path, answer.status, codeOf(answer)]).toEqual([method, path, 503, 'service_unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Object.keys(Object(answer.body)).sort()).toEqual([
      'code',
      'detail',
      'request_id',
      'status',
      'title',
      'type',
    ])
  }
  await world.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`)
  await expect.poll(async () => (await caller.call('/me')).status).toBe(200)
})

test('no answer tells what software answers it, and none may be framed or sniffed', async () => {
  const { headers } = await api('/subscription/plans')
  expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('whatever answers, a door, a page, no route or no request at all: TLS for a year, framed by nobody', async () => {
  const guarded = (headers: { get: (name: string) => string | null }) => [
    headers.get('strict-transport-security'),
    headers.get('content-security-policy')?.replace(/^default-src 'none'; (.*; )?/, ''),
    headers.get('x-content-type-options'),
  ]
  const wanted = ['max-age=31536000; includeSubDomains', `frame-ancestors 'none'`, 'nosniff']
  const paths = [
    ...['/healthz', '/readyz', '/', '/trpc/order.list', '/console/exports/orders', '/%', '/api/v1/me%'],
    ...['/api/v1/me', '/api/v1/nothing', '/api/v1/subscription/plans', '/api/v1/openapi.json'],
    ...['/api/v1/docs', '/api/v1/docs/', '/api/v1/docs/problems', '/api/v1/docs/js/scalar.js'],
  ]
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT']) {
      const { headers } = await fetch(`${world.url}${path}`, { method, redirect: 'manual' })
      expect([method, path, ...guarded(headers)]).toEqual([method, path, ...wanted])
    }
  const notified = await fetch(`${world.url}/api/v1/payment/notify`, { method: 'POST', body: '{}' })
  expect([notified.status, ...guarded(notified.headers)]).toEqual([401, ...wanted])
  for (const broken of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n']) {
    const [head = ''] = (await speak(broken)).split('\r\n\r\n')
    const pairs = head
      .split('\r\n')
      .slice(1)
      .map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ])
    expect([broken, ...guarded(new Headers(pairs))]).toEqual([broken, ...wanted])
  }
})

// Nothing pretended ----------------------------------------------------------------------------------------

const pretended = [
  '/subscription/mock-purchase',
  '/subscription/mock',
  '/devices/mock',
  '/devices/mock-bind',
  '/devices/mock/1',
  '/device/mock',
  '/device/mock-bind',
  '/auth/mock-login',
  '/auth/dev-login',
  '/payment/mock-notify',
]

test.each(['production', 'development', 'test'])(
  'in %s no path, header or field fakes a payment or a user',
  async (name) => {
    await using here = await openTestWorld({ environment: { NODE_ENV: name } })
    const somebody = await here.phone()
    for (const path of pretended)
      for (const method of ['GET', 'POST'])
        expectRefused(
          await somebody.call(path, { method, ...(method === 'POST' && { body: {} }) }),
          404,
          'not_found',
        )
    const answer = await somebody.call('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: 'monthly', mock: true, paid: true },
      headers: { 'x-mock': '1', 'x-mock-payment': 'success' },
    })
    expect(answer.body).toMatchObject({ order: { status: 'prepay' } })
    expect(JSON.stringify([answer.body, (await call(`${here.url}/api/v1/openapi.json`)).body])).not.toMatch(
      /mock/i,
    )
    expect((await somebody.subscription()).is_active).toBe(false)
  },
)

test('the environment is production when NODE_ENV is unset or empty', () => {
  const { NODE_ENV: _unset, ...environment } = environmentFor(world.databaseUrl, 0)
  expect(readConfig(environment).NODE_ENV).toBe('production')
  expect(readConfig({ ...environment, NODE_ENV: '' }).NODE_ENV).toBe('production')
})

// The page of codes -----------------------------------------------------------------------------------------

test('the type of every problem leads to its place on a page, in the language of the reader', async () => {
  const { body } = await api('/nothing-here')
  const [path = '', anchor = ''] = z.object({ type: z.string() }).parse(body).type.split('#')
  const page = await fetch(`${world.url}${path}`, { headers: { 'accept-language': 'en' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const english = await page.text()
  expect(english).toContain(`<section id="${anchor}">`)
  const document = JSON.stringify((await api('/openapi.json')).body)
  const declared = Object.keys(problems).filter((code) => document.includes(`"${code}"`))
  expect(declared.length).toBeGreaterThan(20)
  for (const code of [...declared, 'not_found', 'method_not_allowed', 'internal_error'])
    expect(english).toContain(`<section id="${code}">`)
  expect(english).not.toContain('step_up_required')
  expect(english).toContain('POST /api/v1/subscription/purchase')
  expect(await (await fetch(`${world.url}${path}`)).text()).toContain('<html lang="zh-CN">')
})

test('the page of codes runs no script and wears the one style that stands in it', async () => {
  const page = await fetch(`${world.url}/api/v1/docs/problems`)
  const [, style = ''] = /<style>([^<]+)<\/style>/.exec(await page.text()) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
})

test('headers that never end close their connection with a problem', async () => {
  expect(await neverEnding).toMatch(/^HTTP\/1\.1 400 .*"invalid_request"/s)
})

test('a notification whose body does not arrive in time is told so as the platform knows it', async () => {
  const answer = await neverDelivered
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*\r\nConnection: close\r\n/s)
  expect(answer).toContain('{"code":"FAIL","message":"not received in time"}')
})

test('a request without Host is answered like any other: a problem with a request id', async () => {
  const answer = await speak('GET /api/v1/subscription/plans HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: \S+/)
  expect(answer).toContain('application/problem+json')
  expect(answer).toContain('"code":"invalid_request"')
})

test('the platform gets its own kind of answer for a notification that never arrives whole', async () => {
  const broken = [
    `${deliveryHead}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `${deliveryHead}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${deliveryHead}Bad Header: 1\r\n\r\n`,
    `${deliveryHead.replace('host: x\r\n', '')}Content-Length: 2\r\nConnection: close\r\n\r\n{}`,
  ]
  for (const bytes of broken) {
    const answer = await speak(bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: \S+/)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      code: 'FAIL',
      message: 'malformed notification',
    })
  }
})

test('half a notification, after which its sender says no more, is a failure as the platform knows it', async () => {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const answered = text(socket)
  socket.end(`${deliveryHead}content-length: 99\r\n\r\n{"half"`)
  const answer = await answered
  expect(answer).toContain('{"code":"FAIL"')
  expect(answer).not.toContain('problem+json')
})
