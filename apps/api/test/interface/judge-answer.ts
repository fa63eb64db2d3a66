import { problems } from '@meridian/contracts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { OpenApiDocument, type Operation, operationsOf } from './read-document.ts'

export type Seen = { method: string; path: string; status: number; type: string | null; body: unknown }

/** What an answer has that the document does not allow; nothing when it conforms. */
export type Judge = (seen: Seen) => string[]

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats })

const complaintsOf = (validate: ValidateFunction, body: unknown): string[] =>
  validate(body)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      )

/** RFC 9457 with the members of ours, as the contract names them. */
const problem = ajv.compile({
  type: 'object',
  properties: {
    type: { type: 'string', pattern: '^/api/v1/docs/problems#[a-z_]+$' },
    title: { type: 'string', minLength: 1 },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', minLength: 1 },
    code: { enum: Object.keys(problems) },
    request_id: { type: 'string', pattern: '^[\\w.-]{1,128}$' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
        additionalProperties: false,
      },
    },
    out_trade_no: { type: 'string', pattern: '^M[0-9A-Z]{26}$' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  additionalProperties: false,
})

/** Every refusal is a problem document, of an operation or not. */
export function judgeProblem({ status, type, body }: Omit<Seen, 'method' | 'path'>): string[] {
  if (type?.split(';')[0] !== 'application/problem+json') return [`${status} is of type ${type}`]
  const told: { status?: unknown; code?: unknown } = Object(body)
  const wrong = Object.entries(problems).find(([code, { http }]) => code === told.code && http !== status)
  return [
    ...complaintsOf(problem, body),
    ...(told.status === status ? [] : [`says ${String(told.status)} and is ${status}`]),
    ...(wrong ? [`${wrong[0]} with status ${status}`] : []),
  ]
}

type Known = { operation: Operation; form: RegExp; validators: Map<string, ValidateFunction> }

const known = (operation: Operation): Known => ({
  operation,
  form: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  validators: new Map(),
})

function judgeDeclared({ operation, validators }: Known, { status, type, body }: Seen): string[] {
  const response = operation.responses[status]
  if (!response) return [`${status} is not declared: ${JSON.stringify(body)}`]
  const [mediaType, content] = Object.entries(response.content ?? {})[0] ?? []
  if (!mediaType || !content) return body === '' ? [] : [`${status} has a body`]
  if (type?.split(';')[0] !== mediaType) return [`${status} is of type ${type}, not ${mediaType}`]
  const key = `${status} ${mediaType}`
  const validate = validators.get(key) ?? ajv.compile(content.schema)
  validators.set(key, validate)
  return complaintsOf(validate, body)
}

const decodes = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Judges answers by a document alone: none of the schemas it was made from has a say. */
export function judgeBy(document: unknown): Judge {
  const operations = operationsOf(OpenApiDocument.parse(document)).map(known)
  return (seen) => {
    const { method, path, status } = seen
    const found = operations.find(
      ({ operation, form }) => operation.method === method && form.test(path) && decodes(path),
    )
    if (found) return judgeDeclared(found, seen).map((complaint) => `${found.operation.name}: ${complaint}`)
    return status < 400 ? [] : judgeProblem(seen).map((complaint) => `${method} ${path}: ${complaint}`)
  }
}
