import { createHash } from 'node:crypto'
import { type ProblemCode, problems } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { resolveReferences } from '../interface/resolve-references.ts'
import { call } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ payments: 'off' })

const Schema = z.looseObject({ type: z.string().optional() })
const Operation = z.object({
  tags: z.array(z.string()).min(1),
  security: z.array(z.record(z.string(), z.array(z.never()))),
  parameters: z
    .array(
      z.object({
        in: z.enum(['path', 'query', 'header']),
        name: z.string(),
        required: z.boolean().optional(),
        schema: Schema,
      }),
    )
    .default([]),
  requestBody: z
    .object({ required: z.boolean().optional(), content: z.record(z.string(), z.object({ schema: Schema })) })
    .optional(),
  responses: z.record(
    z.string().regex(/^[2345]\d\d$/),
    z.object({
      description: z.string().min(1),
      content: z.record(z.string(), z.object({ schema: Schema })).optional(),
    }),
  ),
})
const Document = z.object({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.object({ title: z.string().min(1), version: z.string().min(1) }),
  components: z.object({
    securitySchemes: z.object({ user: z.object({ type: z.literal('http'), scheme: z.literal('bearer') }) }),
  }),
  paths: z.record(
    z.string().startsWith('/api/v1/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'delete']), Operation),
  ),
})
let body: unknown
let document: z.infer<typeof Document>

beforeAll(async () => {
  body = (await call(`${world.url}/api/v1/openapi.json`)).body
  document = Document.parse(resolveReferences(body))
})

/** Who calls these is the platform, or reads the document. */
const apart = ['platform', 'document']

const operations = () =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
        ...Operation.parse(operation),
      })),
    )
    .filter(({ tags: [tag = ''] }) => !apart.includes(tag))

const everySignedIn = [
  'unauthenticated',
  'token_expired',
  'user_disabled',
  'rate_limited',
  'service_unavailable',
]
const everySystem = ['unauthenticated', 'forbidden', 'rate_limited', 'service_unavailable']
const everyBody = ['malformed_json', 'payload_too_large', 'unsupported_media_type']
const platform = ['payment_platform_error', 'payment_platform_timeout', 'payment_not_configured']
const expected: Record<string, string[]> = {
  'POST /auth/login': [
    ...everyBody,
    ...[
      'invalid_request',
      'invalid_login_code',
      'user_disabled',
      'rate_limited',
      'login_not_configured',
      'service_unavailable',
    ],
  ],
  'POST /auth/refresh': [
    ...everyBody,
    ...['invalid_request', 'invalid_refresh_token', 'user_disabled', 'rate_limited', 'service_unavailable'],
  ],
  'POST /auth/logout': [...everyBody, 'invalid_request', 'rate_limited', 'service_unavailable'],
  'GET /me': everySignedIn,
  'GET /subscription/plans': ['rate_limited', 'service_unavailable'],
  'GET /subscription': everySignedIn,
  'POST /subscription/purchase': [
    ...[
      ...everySignedIn,
      ...everyBody,
      ...platform,
      'invalid_request',
      'sale_not_allowed',
      'plan_not_found',
      'price_changed',
      'invalid_login_code',
      'channel_not_supported',
    ],
    ...['order_already_paid', 'order_closed', 'idempotency_in_progress', 'idempotency_key_reused'],
  ],
  'GET /subscription/orders': [...everySignedIn, 'invalid_request'],
  'GET /subscription/orders/{out_trade_no}': [...everySignedIn, 'order_not_found'],
  'POST /subscription/orders/{out_trade_no}/sync': [
    ...everySignedIn,
    ...everyBody,
    ...platform,
    'invalid_request',
    'order_not_found',
  ],
  'POST /subscription/orders/{out_trade_no}/cancel': [
    ...[...everySignedIn, ...everyBody, ...platform, 'order_not_found', 'order_already_paid'],
  ],
  'POST /reports': [
    ...[...everySignedIn, ...everyBody, 'invalid_request', 'subscription_required', 'report_limit_reached'],
  ],
  'GET /reports': [...everySignedIn, 'invalid_request'],
  'GET /reports/{id}': [...everySignedIn, 'report_not_found'],
  'DELETE /reports/{id}': [...everySignedIn, 'report_not_found'],
  'GET /diagnosis-config': everySignedIn,
  'GET /integration/entitlements': [...everySystem, 'invalid_request', 'user_not_found'],
  'GET /integration/orders': [...everySystem, 'invalid_request', 'range_too_wide'],
  'GET /integration/orders/{out_trade_no}': [...everySystem, 'order_not_found'],
  'POST /integration/grants': [
    ...[...everySystem, ...everyBody, 'invalid_request', 'user_not_found', 'grant_limit_reached'],
    'idempotency_key_reused',
  ],
}

const answersOfImport = [...everySystem, 'invalid_request']
const binding = [
  ...['device_not_registered', 'proof_required', 'proof_invalid'],
  ...['device_already_bound', 'device_limit_reached'],
]
Object.assign(expected, {
  'PUT /me': [...everySignedIn, ...everyBody, 'invalid_request'],
  'DELETE /me': [
    ...[...everySignedIn, ...everyBody, 'invalid_request', 'invalid_login_code', 'erasure_blocked'],
    'login_not_configured',
  ],
  'GET /me/export': everySignedIn,
  'GET /me/message-permissions': everySignedIn,
  'POST /me/message-permissions': [...everySignedIn, ...everyBody, 'invalid_request'],
  'GET /devices': [...everySignedIn, 'invalid_request'],
  'POST /devices/bind-challenge': [
    ...[...everySignedIn, ...everyBody, 'invalid_request', 'device_not_found', 'device_not_registered'],
  ],
  'POST /devices/bind': [...everySignedIn, ...everyBody, ...binding, 'invalid_request'],
  'POST /devices/unbind': [...everySignedIn, ...everyBody, 'invalid_request'],
  'POST /integration/imports': [...answersOfImport, ...everyBody],
  'GET /integration/imports/{id}': [...answersOfImport, 'not_found'],
  'GET /integration/events': [...everySystem, 'invalid_request'],
})

const isCode = (code: string): code is ProblemCode => code in problems
const Codes = z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) })

test('each operation declares every failure it may answer, as a problem document', () => {
  const declared = operations().map(({ name, responses }) => {
    const codes = Object.entries(responses).flatMap(([status, { content = {} }]) => {
      if (Number(status) < 400) return []
      expect([name, status, Object.keys(content)]).toEqual([name, status, ['application/problem+json']])
      const { enum: ofStatus } = Codes.parse(content['application/problem+json']?.schema).properties.code
      for (const code of ofStatus)
        expect([code, isCode(code) && problems[code].http]).toEqual([code, Number(status)])
      return ofStatus
    })
    return [name, codes.sort()]
  })
  const sorted = Object.entries(expected).map(([name, codes]) => [name, [...codes].sort()])
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(sorted))
})

test('each operation declares what success looks like', () => {
  for (const { name, responses } of operations()) {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    expect([name, successes.length > 0]).toEqual([name, true])
    for (const [status, { content }] of successes)
      if (status !== '204')
        expect([name, content?.['application/json']?.schema.type]).toEqual([name, 'object'])
  }
})

/** What else has to be said: what a file holds cannot be guessed. */
const requiredInQuery = ['POST /integration/imports kind']

test('parameters of paths are declared and required, others are not', () => {
  for (const { name, parameters } of operations()) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map((parameter) => parameter.name)).toEqual(
      [...name.matchAll(/\{(\w+)\}/g)].map(([, found]) => found),
    )
    expect(inPath.every(({ required }) => required)).toBe(true)
    for (const parameter of parameters.filter((one) => one.in !== 'path'))
      expect([name, parameter.name, parameter.required ?? false]).toEqual([
        ...[name, parameter.name],
        requiredInQuery.includes(`${name} ${parameter.name}`),
      ])
  }
})

test('the document holds nothing that only OpenAPI 3.0 knew', () => {
  expect(JSON.stringify(body)).not.toContain('"nullable"')
})

test('the notification endpoint and the document itself are part of it, the console is not', () => {
  const paths = Object.keys(document.paths)
  expect(paths).toEqual(
    expect.arrayContaining(['/api/v1/payment/notify', '/api/v1/openapi.json', '/api/v1/docs']),
  )
  expect(JSON.stringify(paths)).not.toMatch(/trpc|console|healthz|readyz/)
})

test('it is written in the language that is asked for, Chinese by default', async () => {
  const read = async (language?: string) => {
    const answer = await call(`${world.url}/api/v1/openapi.json`, {
      headers: language ? { 'accept-language': language } : {},
    })
    const { info } = z.object({ info: z.object({ title: z.string() }) }).parse(answer.body)
    return [info.title, answer.headers.get('content-language'), answer.headers.get('vary')]
  }
  expect(await read('en-GB')).toEqual(['Meridian API', 'en', 'Accept-Language'])
  expect(await read('*')).toEqual(['Meridian 接口', 'zh-CN', 'Accept-Language'])
})

test('the docs are a page that loads its program from here and reads the document', async () => {
  const page = await call(`${world.url}/api/v1/docs`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.body).toContain('/api/v1/openapi.json')
  expect(page.body).toContain('<title>Meridian API</title>')
  expect(String(page.body)).not.toMatch(/src="https?:/)
  const [, script = ''] = /<script src="([^"]+)"/.exec(String(page.body)) ?? []
  const program = await call(new URL(script, `${world.url}/api/v1/docs/`).href)
  expect([program.status, program.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('javascript'),
  ])
})

test('the page of the docs runs its own two scripts, asks this API alone and is framed by nobody', async () => {
  const page = await call(`${world.url}/api/v1/docs/`)
  const scripts = [...String(page.body).matchAll(/<script[^>]*>([^<]*)<\/script>/g)].map(([, text]) => text)
  expect(scripts).toEqual(['', expect.stringContaining(`Scalar.createApiReference('#app'`)])
  const hash = createHash('sha256')
    .update(scripts[1] ?? '')
    .digest('base64')
  const policy = page.headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual([
    `default-src 'none'`,
    `script-src 'self' 'sha256-${hash}'`,
    `style-src 'unsafe-inline'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ])
})
