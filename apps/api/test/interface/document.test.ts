import { expect, test } from 'vitest'
import { readCommitted } from './committed-documents.ts'
import { breaksBetween } from './compare-documents.ts'
import { generateDocument } from './generate-document.ts'
import { judgeBy } from './judge-answer.ts'
import { OpenApiDocument, type Schema } from './read-document.ts'

const rewrite = 'to rewrite both documents: npm run openapi --workspace @meridian/api'

test.each([
  ['openapi.json', 'en', 'current'],
  ['openapi.zh-CN.json', 'zh-CN', 'chinese'],
] as const)('%s is what schemas and words make today', async (_file, language, kept) => {
  expect(await generateDocument(language), rewrite).toEqual(readCommitted(kept))
})

test('version 1 only grows: what clients were promised still holds', () => {
  const [promised, current] = [readCommitted('promised'), readCommitted('current')].map((document) =>
    OpenApiDocument.parse(document),
  )
  expect(promised && current && breaksBetween(promised, current)).toEqual([])
})

// What counts as an answer that is not as documented ------------------------------------------------------

const plan = { code: 'm', name: 'M', description: '', duration_days: 30, price_fen: 1, list_price_fen: null }
const plans = {
  plans: [{ ...plan, currency: 'CNY', features: [], badge: null }],
  sale: { allowed: true, channel: 'jsapi', message: null },
}
const problem = {
  type: '/api/v1/docs/problems#rate_limited',
  title: 'x',
  status: 429,
  detail: 'x',
  code: 'rate_limited',
  request_id: '1',
}
const [json, problemJson] = ['application/json; charset=utf-8', 'application/problem+json; charset=utf-8']

test.each<[what: string, complaints: number, answer: { status: number; type: string | null; body: unknown }]>(
  [
    ['what the document says', 0, { status: 200, type: json, body: plans }],
    ['an undeclared member', 1, { status: 200, type: json, body: { ...plans, secret: 1 } }],
    [
      'an undeclared member deep inside',
      1,
      { status: 200, type: json, body: { ...plans, sale: { ...plans.sale, mock: true } } },
    ],
    ['a missing member', 1, { status: 200, type: json, body: { sale: plans.sale } }],
    ['a wrong type', 1, { status: 200, type: json, body: { ...plans, plans: {} } }],
    ['another content type', 1, { status: 200, type: 'text/html', body: plans }],
    ['an undeclared status', 1, { status: 202, type: json, body: plans }],
    ['a status without a body', 0, { status: 304, type: null, body: '' }],
    ['a body where none is declared', 1, { status: 304, type: json, body: {} }],
    ['a declared problem', 0, { status: 429, type: problemJson, body: problem }],
    ['a problem with more in it', 1, { status: 429, type: problemJson, body: { ...problem, stack: 'x' } }],
    [
      'a problem of another kind',
      1,
      { status: 429, type: problemJson, body: { ...problem, code: 'not_found' } },
    ],
    ['a problem that is sent like any JSON', 1, { status: 429, type: json, body: problem }],
  ],
)('%s has %i complaints', (_what, complaints, answer) => {
  const judge = judgeBy(readCommitted('current'))
  expect(judge({ method: 'GET', path: '/api/v1/subscription/plans', ...answer })).toHaveLength(complaints)
})

test('what is no operation must be refused by a problem', () => {
  const judge = judgeBy(readCommitted('current'))
  const told = { ...problem, status: 404, code: 'not_found' }
  const answer = { method: 'GET', path: '/api/v1/nothing', status: 404, type: problemJson }
  expect(judge({ ...answer, body: told })).toEqual([])
  expect(judge({ ...answer, body: { ...told, code: 'rate_limited' } })).toHaveLength(1)
  expect(judge({ ...answer, body: { ...told, status: 400 } })).toHaveLength(1)
  expect(judge({ ...answer, body: { error: 'x' } })).not.toEqual([])
  expect(judge({ ...answer, type: 'text/plain', body: 'x' })).not.toEqual([])
})

// What counts as a break -----------------------------------------------------------------------------------

type Described = { body?: Schema; answer?: Schema; required?: boolean; query?: Record<string, boolean> }

function documentWith({ body, answer, required = true, query = {} }: Described, status = '200') {
  const content = (schema: Schema | undefined) =>
    schema ? { content: { 'application/json': { schema } } } : {}
  return OpenApiDocument.parse({
    openapi: '3.1.0',
    paths: {
      '/api/v1/things': {
        post: {
          parameters: Object.entries(query).map(([name, needed]) => ({
            in: 'query',
            name,
            required: needed,
            schema: { type: 'string' },
          })),
          ...(body && { requestBody: { required, ...content(body) } }),
          responses: { [status]: content(answer) },
        },
      },
    },
  })
}

const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
})
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values })

test.each<[what: string, before: Described, after: Described]>([
  ['a member of an answer is gone', { answer: object({ a: text }) }, { answer: object({}) }],
  [
    'a member of an answer may be missing',
    { answer: object({ a: text }, ['a']) },
    { answer: object({ a: text }) },
  ],
  [
    'a member of an answer has another type',
    { answer: object({ a: text }) },
    { answer: object({ a: { type: 'integer' } }) },
  ],
  [
    'a member of an answer may be null',
    { answer: object({ a: text }) },
    { answer: object({ a: { anyOf: [text, { type: 'null' }] } }) },
  ],
  [
    'something deep inside is gone',
    { answer: object({ a: { type: 'array', items: object({ b: text }) } }) },
    { answer: object({ a: { type: 'array', items: object({}) } }) },
  ],
  ['an answer has no body any more', { answer: text }, {}],
  ['an answer says anything instead of a few values', { answer: oneOf('a') }, { answer: text }],
  ['a value of an answer is gone', { answer: oneOf('a', 'b') }, { answer: oneOf('a') }],
  ['a request must have a new member', { body: object({}) }, { body: object({ a: text }, ['a']) }],
  ['an optional member is required', { body: object({ a: text }) }, { body: object({ a: text }, ['a']) }],
  ['a member of a request is gone', { body: object({ a: text }) }, { body: object({}) }],
  [
    'an enumeration is narrower',
    { body: object({ a: oneOf('a', 'b') }) },
    { body: object({ a: oneOf('a') }) },
  ],
  ['a free text became an enumeration', { body: object({ a: text }) }, { body: object({ a: oneOf('a') }) }],
  [
    'a text may be shorter only',
    { body: object({ a: text }) },
    { body: object({ a: { ...text, maxLength: 9 } }) },
  ],
  [
    'a number must be larger',
    { body: { type: 'integer', minimum: 1 } },
    { body: { type: 'integer', minimum: 2 } },
  ],
  ['a text needs another form', { body: { ...text, pattern: 'a' } }, { body: { ...text, pattern: 'b' } }],
  ['a body is required', { body: text, required: false }, { body: text }],
  ['a parameter is required', { query: { a: false } }, { query: { a: true } }],
  ['a new parameter is required', {}, { query: { a: true } }],
  ['a parameter is gone', { query: { a: false } }, {}],
])('it is a break when %s', (_what, before, after) => {
  expect(breaksBetween(documentWith(before), documentWith(after))).toHaveLength(1)
  expect(breaksBetween(documentWith(before), documentWith(before))).toEqual([])
})

test('it is a break when a status, an operation or a path is gone, or a token is asked for', () => {
  const before = documentWith({ answer: text })
  expect(breaksBetween(before, documentWith({ answer: text }, '201'))).toEqual(['POST /things: 200 is gone'])
  expect(breaksBetween(before, { openapi: '3.1.0', paths: {} })).toEqual(['POST /things is gone'])
  const guarded = documentWith({ answer: text })
  for (const operation of Object.values(guarded.paths['/api/v1/things'] ?? {}))
    operation.security = [{ user: [] }]
  expect(breaksBetween(before, guarded)).toEqual(['POST /things: asks for a token now'])
})

test.each<[what: string, before: Described, after: Described]>([
  ['an answer tells more', { answer: object({}) }, { answer: object({ a: text }, ['a']) }],
  ['an answer knows another value', { answer: oneOf('a') }, { answer: oneOf('a', 'b') }],
  ['a request may say more', { body: object({}) }, { body: object({ a: text }) }],
  ['a required member became optional', { body: object({ a: text }, ['a']) }, { body: object({ a: text }) }],
  ['an enumeration is wider', { body: oneOf('a') }, { body: oneOf('a', 'b') }],
  ['an enumeration became a free text', { body: oneOf('a') }, { body: text }],
  ['a bound is wider', { body: { type: 'integer', maximum: 1 } }, { body: { type: 'integer', maximum: 2 } }],
  ['there is a new optional parameter', {}, { query: { a: false } }],
])('it is growth when %s', (_what, before, after) => {
  expect(breaksBetween(documentWith(before), documentWith(after))).toEqual([])
})
