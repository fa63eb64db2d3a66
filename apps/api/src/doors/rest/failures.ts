import { Problem, type ProblemCode, problems } from '@meridian/contracts'
import type { FastifyInstance, RouteOptions } from 'fastify'

/** The declared failures of an operation, by status, for its schema. */
export function failures(...codes: ProblemCode[]): Record<number, typeof Problem> {
  return Object.fromEntries(codes.map((code) => [problems[code].http, Problem]))
}

const ofEveryOperation = ['rate_limited', 'service_unavailable'] as const
const ofEveryBody = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const
const ofSignedIn = ['unauthenticated', 'user_disabled'] as const

const sendsBody = ({ method }: RouteOptions) =>
  [method].flat().some((name) => name === 'POST' || name === 'PUT')

/** Declares for each operation of a scope what its door may answer; the routes name only their own failures. */
export function declareDoor(app: FastifyInstance, { signedIn }: { signedIn: boolean }): void {
  app.addHook('onRoute', (route) => {
    const { schema = {} } = route
    if (schema.hide) return
    const codes = [
      ...ofEveryOperation,
      ...(sendsBody(route) ? ofEveryBody : []),
      ...(signedIn ? ofSignedIn : []),
    ]
    route.schema = {
      ...schema,
      response: { ...failures(...codes), ...Object(schema.response) },
      ...(signedIn && { security: [{ user: [] }] }),
    }
  })
}
