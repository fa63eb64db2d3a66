import { Readable } from 'node:stream'
import { IMPORT_LIMIT_BYTES } from '@meridian/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../platform/errors/domain-error.ts'

/** Lets files to import in as they come; one that says it is too large is refused before it is read. */
export function acceptCsvStream(scope: FastifyInstance): void {
  scope.addContentTypeParser('text/csv', (request, payload, done) => {
    const isLarge = Number(request.headers['content-length'] ?? 0) > IMPORT_LIMIT_BYTES
    done(isLarge ? new DomainError('payload_too_large') : null, payload)
  })
}

async function* bytesOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const bytes of body) yield Buffer.from(bytes)
}

/** @throws DomainError unsupported_media_type for anything but such a file */
export function csvStreamOf({ body }: FastifyRequest): AsyncIterable<Buffer> {
  if (!(body instanceof Readable)) throw new DomainError('unsupported_media_type')
  return bytesOf(body)
}
