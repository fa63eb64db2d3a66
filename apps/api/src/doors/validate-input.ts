import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { findFieldErrors } from '../platform/errors/find-field-errors.ts'

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
