import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Allowance } from '../../platform/limits/bounded-work.ts'
import { nextSlice } from '../../platform/streams/event-loop-turns.ts'

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
