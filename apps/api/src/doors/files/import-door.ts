import { ImportUpload } from '@meridian/contracts'
import type { FastifyInstance } from 'fastify'
import { keepUpload } from '../../imports/keep-upload.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'
import { admitConsole } from '../trpc/trpc-door.ts'
import { acceptCsvStream, csvStreamOf } from './csv-stream.ts'
import { readTaker } from './file-taker.ts'

/** Files of other systems that an owner brings in the console: kept piece by piece as they come, never parsed here. */
export const importDoor = (services: Services) => async (app: FastifyInstance) => {
  app.decorateRequest('browser', null)
  app.addHook('onRequest', (request) => admitConsole(services, request))
  app.removeAllContentTypeParsers()
  acceptCsvStream(app)
  app.post('/console/imports/files', async (request, reply) => {
    const { operator, from } = await readTaker(services, request, 'import.manage')
    const file = csvStreamOf(request)
    const asked = ImportUpload.safeParse(request.query)
    if (!asked.success) throw new DomainError('invalid_request')
    const { kind, dryRun, fileName } = asked.data
    const by = { actor: { operatorId: operator.id, from }, fileName }
    return reply.code(202).send({ id: await keepUpload(services.database.pool, { kind, dryRun, by, file }) })
  })
}
