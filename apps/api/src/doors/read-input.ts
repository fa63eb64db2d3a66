import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { DomainError, findFieldErrors } from '../platform/errors/domain-error.ts'
import type { Allowance } from '../platform/limits/bounded-work.ts'
import { nextSlice } from '../platform/streams/event-loop-turns.ts'

/** A body of this length takes milliseconds to parse and check: those that arrive together are taken one by one. */
const longBodyCharacters = 32 * 1024

/** JSON bodies only; an empty body counts as no body, whatever its content type says. */
export function acceptJson(app: FastifyInstance, longBodies: Allowance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else if (body.length < longBodyCharacters) parseJson(request, String(body), done)
    else longBodies.run(nextSlice).then(() => parseJson(request, String(body), done), done)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else done(new DomainError('unsupported_media_type'))
  })
}

/** Holds a part of a request against its schema; what is wrong with the whole of it is named after the part. */
export const validateInput: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart = 'body' }) =>
  (input: unknown) => {
    const parsed = schema.safeParse(input)
    if (parsed.success) return { value: parsed.data }
    const errors = findFieldErrors(schema, input).map(({ path, message }) => ({
      path: path || httpPart,
      message,
    }))
    return { error: new DomainError('invalid_request', { errors }) }
  }
