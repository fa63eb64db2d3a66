import fc from 'fast-check'
import { alternativesOf, type Operation, type Schema, schemaIn } from './read-document.ts'

/** What a request of an operation looks like when nothing is wrong with it. */
export type ValidRequest = {
  method: string
  /** With its parameters filled in and its query. */
  path: string
  headers: Record<string, string>
  body: unknown
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T08:00:00Z',
  uuid: '0199f1a2-7b3c-7d4e-8f50-123456789abc',
  uri: 'https://example.com/picture.png',
  url: 'https://example.com/picture.png',
}

function textOf({ format, pattern, minLength = 0 }: Schema): string {
  const ofFormat = format === undefined ? undefined : formats[format]
  if (ofFormat !== undefined) return ofFormat
  if (pattern === undefined) return 'x'.repeat(Math.max(1, minLength))
  const [sample = ''] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 })
  return sample
}

/** A value that a schema accepts, with every member it knows. */
export function exampleOf(schema: Schema): unknown {
  const [kind = schema] = alternativesOf(schema)
  if (kind.const !== undefined) return kind.const
  if (kind.enum) return kind.enum[0]
  if (kind.type === 'string') return textOf(kind)
  if (kind.type === 'integer' || kind.type === 'number') return Math.max(kind.minimum ?? 0, 1)
  if (kind.type === 'boolean') return true
  if (kind.type === 'null') return null
  if (kind.type === 'array')
    return Array.from({ length: kind.minItems ?? 1 }, () => exampleOf(kind.items ?? {}))
  return Object.fromEntries(
    Object.entries(kind.properties ?? {}).map(([name, member]) => [name, exampleOf(member)]),
  )
}

/** The path with these parameters, or with such as nothing is known by. */
export function pathOf(
  { path, parameters }: Operation,
  known: Readonly<Record<string, string>> = {},
): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {}
    return encodeURIComponent(known[name] ?? String(exampleOf({ type: 'string', ...schema })))
  })
}

/** What the rules of an operation ask beyond its schemas: exactly one of several members. */
const beyondSchemas: Readonly<Record<string, { query?: string; without?: string }>> = {
  'GET /integration/entitlements': { query: `?user_id=${formats['uuid']}` },
  'POST /integration/grants': { without: 'openid' },
  'POST /integration/imports': { query: '?kind=subscribers' },
}

/** A request that breaks no rule of the document: what it asks for may still not exist. */
export function validRequest(operation: Operation): ValidRequest {
  const schema = schemaIn(operation.requestBody?.content)
  const { query = '', without } = beyondSchemas[operation.name] ?? {}
  const body = schema && exampleOf(schema)
  return {
    method: operation.method,
    path: `${pathOf(operation)}${query}`,
    headers: {},
    body: without === undefined ? body : { ...Object(body), [without]: undefined },
  }
}
