import { ImportAnswer, ImportQuery, ImportReference, ImportReport } from '@meridian/contracts'
import type { FastifyInstance } from 'fastify'
import { readImport } from '../../imports/keep-import.ts'
import { keepUpload } from '../../imports/keep-upload.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'
import { acceptCsvStream, csvStreamOf } from '../files/csv-stream.ts'
import { languageOf } from '../problem.ts'
import { failures } from '../rest/failures.ts'
import { withZod } from '../rest/signed-in.ts'
import { toImport } from './translate.ts'

/** Files of other systems: a file is kept piece by piece as it comes, and never parsed here. */
export async function importRoutes(scope: FastifyInstance, { database: { pool } }: Services): Promise<void> {
  acceptCsvStream(scope)
  const app = withZod(scope)
  app.post(
    '/integration/imports',
    {
      config: { scope: 'imports:write' },
      schema: {
        tags: ['integration'],
        querystring: ImportQuery,
        response: { 202: ImportAnswer, ...failures('invalid_request') },
      },
    },
    async (request, reply) => {
      if (!request.apiKey) throw new DomainError('unauthenticated')
      const file = csvStreamOf(request)
      const { kind, dry_run: dryRun = 'false' } = request.query
      const id = await keepUpload(pool, {
        kind,
        dryRun: dryRun !== 'false' && dryRun !== '0',
        by: { apiKeyId: request.apiKey.id },
        file,
      })
      return reply.code(202).send({ id })
    },
  )
  app.get(
    '/integration/imports/:id',
    {
      config: { scope: 'imports:write' },
      schema: {
        tags: ['integration'],
        params: ImportReference,
        response: { 200: ImportReport, ...failures('invalid_request', 'not_found') },
      },
    },
    async (request) =>
      toImport(await readImport(pool, request.params.id), languageOf(request.headers['accept-language'])),
  )
}
