import { Problem, problems } from '@meridian/contracts'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { RestCode } from './words/remedies.ts'

type Failures = Record<number, z.ZodType<Problem>>

const named = new WeakMap<object, readonly RestCode[]>()

const schemas = new Map<string, z.ZodType<Problem>>()

/** The problem that carries one of these codes of one status: one schema for all operations that may answer so. */
function problemOf(codes: readonly RestCode[]): z.ZodType<Problem> {
  const name = codes.join(', ')
  const schema = schemas.get(name) ?? Problem.extend({ code: z.enum(codes) }).describe(name)
  schemas.set(name, schema)
  named.set(schema, codes)
  return schema
}

/** The declared failures of an operation, by status, for its schema: each names the codes it may carry. */
export function failures(...codes: RestCode[]): Failures {
  const statuses = new Set(codes.map((code) => problems[code].http))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const ofStatus = [...new Set(codes)].filter((code) => problems[code].http === status)
      return [status, problemOf(ofStatus)]
    }),
  )
}

const codesIn = (response: object): RestCode[] =>
  Object.values(response).flatMap((schema: unknown) =>
    typeof schema === 'object' && schema !== null ? [...(named.get(schema) ?? [])] : [],
  )

const ofEveryOperation = ['rate_limited', 'service_unavailable'] as const
const ofEveryBody = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const
/** What an operation may answer whoever is let in by nothing, by a user's token or by the key of a system. */
const ofCallers = {
  nothing: [],
  user: ['unauthenticated', 'token_expired', 'user_disabled'],
  api_key: ['unauthenticated', 'forbidden'],
} as const satisfies Record<string, readonly RestCode[]>

const sendsBody = ({ method, schema }: RouteOptions) =>
  schema?.body !== undefined || [method].flat().some((name) => name === 'POST' || name === 'PUT')

/** Declares for each operation of a scope what its door may answer; the routes name only their own failures. */
export function declareDoor(app: FastifyInstance, { opensBy }: { opensBy: keyof typeof ofCallers }): void {
  app.addHook('onRoute', (route) => {
    const { schema = {} } = route
    if (schema.hide) return
    const response = typeof schema.response === 'object' && schema.response !== null ? schema.response : {}
    const codes = [
      ...codesIn(response),
      ...(sendsBody(route) ? ofEveryBody : []),
      ...ofCallers[opensBy],
      ...ofEveryOperation,
    ]
    route.schema = {
      ...schema,
      response: { ...response, ...failures(...codes) },
      ...(opensBy !== 'nothing' && { security: [{ [opensBy]: [] }] }),
    }
  })
}
