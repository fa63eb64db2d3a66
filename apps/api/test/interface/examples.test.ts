import { systemRuntime } from '@meridian/payments'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import Fastify, { type RouteOptions } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../src/config.ts'
import { validateInput } from '../../src/doors/read-input.ts'
import { exampleProblem } from '../../src/doors/rest/document-refusals.ts'
import { restDoor } from '../../src/doors/rest/rest-door.ts'
import { operationWords } from '../../src/doors/rest/words/all-words.ts'
import { fieldWords } from '../../src/doors/rest/words/fields.ts'
import { isRestCode, remedies } from '../../src/doors/rest/words/remedies.ts'
import { openServices } from '../../src/services.ts'
import { environmentFor } from '../world/test-world.ts'
import { readCommitted } from './committed-documents.ts'
import { declaredCodes, everyOperationOf, OpenApiDocument, type Operation } from './read-document.ts'

const documents = (['current', 'chinese'] as const).map((kept) => OpenApiDocument.parse(readCommitted(kept)))
const operations = documents.flatMap(everyOperationOf)
const [english = []] = documents.map(everyOperationOf)

const Example = z.looseObject({
  schema: z.unknown(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
})

/** The examples of a content, each with its schema. */
const examplesIn = (content: object = {}) =>
  Object.values(content).flatMap((media: unknown) => {
    const { schema, example, examples = {} } = Example.parse(media)
    const all = [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples).map(({ value }) => value),
    ]
    return all.map((value) => ({ schema, value }))
  })

const contentsOf = ({ requestBody, responses }: Operation) => [
  ...(requestBody ? [['request', requestBody.content] as const] : []),
  ...Object.entries(responses).flatMap(([status, { content }]) =>
    content ? [[status, content] as const] : [],
  ),
]

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats })

test('every body of the document has an example that its schema in the document accepts', () => {
  const wrong = operations.flatMap((operation) =>
    contentsOf(operation).flatMap(([where, content]) => {
      const examples = examplesIn(content)
      if (examples.length === 0) return [`${operation.name} ${where} has no example`]
      return examples.flatMap(({ schema, value }) =>
        ajv.validate(Object(schema), value)
          ? []
          : [`${operation.name} ${where}: ${ajv.errorsText()} in ${JSON.stringify(value).slice(0, 200)}`],
      )
    }),
  )
  expect(wrong).toEqual([])
})

// What the routes themselves say of the examples ------------------------------------------------------------

const routes: RouteOptions[] = []
beforeAll(async () => {
  const config = readConfig(environmentFor('postgres://nobody@127.0.0.1:1/nothing', 0))
  const services = openServices(config, pino({ level: 'silent' }), systemRuntime)
  const app = Fastify()
  app.setValidatorCompiler(validateInput)
  app.setSerializerCompiler(serializerCompiler)
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  await app.register(restDoor(services), { prefix: '/api/v1' })
  await app.ready()
  await app.close()
  await services.database.close()
})

const schemaOf = (name: string) => {
  const found = routes.find(
    ({ method, url, schema }) =>
      !schema?.hide &&
      `${String(method)} ${url.replace('/api/v1', '').replaceAll(/:(\w+)/g, '{$1}')}` === name,
  )
  return found?.schema
}

const complaintsOf = (schema: unknown, value: unknown): string[] =>
  schema instanceof z.ZodType
    ? (schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [])
    : ['no schema']

describe.each([...operationWords].filter(([, { tag }]) => !['platform', 'document'].includes(tag)))(
  'the examples of %s',
  (name, { request, answer, answers }) => {
    test('parse by the schemas of its route', () => {
      const { body, response } = schemaOf(name) ?? {}
      if (body !== undefined) expect(complaintsOf(body, request)).toEqual([])
      const ofStatus: Record<string, unknown> = Object(response)
      for (const status of Object.keys(answers))
        if (status.startsWith('2') && status !== '204')
          expect([status, complaintsOf(ofStatus[status], answer)]).toEqual([status, []])
    })
  },
)

test('an example that does not parse is found', () => {
  const { response } = schemaOf('GET /me') ?? {}
  const { 200: schema }: { 200?: unknown } = Object(response)
  expect(complaintsOf(schema, { id: 'x' })).not.toEqual([])
  expect(complaintsOf(undefined, {})).not.toEqual([])
})

// What has words, and what words have -----------------------------------------------------------------------

test('every operation has words, and all words are of an operation', () => {
  expect(english.map(({ name }) => name).sort()).toEqual([...operationWords.keys()].sort())
})

test('every success of an operation has its meaning', () => {
  const successes = (operation: Operation) =>
    Object.keys(operation.responses).filter((status) => Number(status) < 400)
  expect(english.map((operation) => [operation.name, successes(operation)])).toEqual(
    english.map(({ name }) => [name, Object.keys(operationWords.get(name)?.answers ?? {})]),
  )
})

test('operations are called by names of their own', () => {
  const ids = [...operationWords.values()].map(({ operationId }) => operationId)
  expect(ids.filter((id) => !/^[a-z][a-zA-Z]{3,40}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})

test('every code that is declared says what to do, and no other', () => {
  const anywhere = ['not_found', 'method_not_allowed', 'internal_error', 'forbidden']
  const declared = new Set([...anywhere, ...english.flatMap(declaredCodes).map(({ code }) => code)])
  expect([...declared].sort()).toEqual(Object.keys(remedies).sort())
  for (const code of declared)
    expect([code, isRestCode(code) && exampleProblem(code, 'en').status]).toEqual([code, expect.any(Number)])
})

const Schemas = z.looseObject({
  components: z.object({
    schemas: z.record(
      z.string(),
      z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }),
    ),
  }),
})

test('words of members are of members that there are', () => {
  const { schemas } = Schemas.parse(readCommitted('current')).components
  const lost = Object.entries(fieldWords).flatMap(([name, fields]) =>
    Object.keys(fields)
      .filter((field) => !(field in (schemas[name]?.properties ?? {})))
      .map((field) => `${name}.${field}`),
  )
  expect(lost).toEqual([])
})

const most = 150_000
test.each(['current', 'chinese'] as const)('the document stays small enough to read at once: %s', (kept) => {
  expect(Buffer.byteLength(JSON.stringify(readCommitted(kept)))).toBeLessThan(most)
})

test('the documents differ in words alone', () => {
  const withoutWords = (kept: 'current' | 'chinese') =>
    JSON.stringify(readCommitted(kept), (key, value: unknown) =>
      ['description', 'summary', 'title', 'x-displayName', 'value'].includes(key) && typeof value !== 'object'
        ? ''
        : value,
    ).replaceAll(/"(detail|message)":"[^"]*"/g, '')
  expect(withoutWords('chinese')).toBe(withoutWords('current'))
})
