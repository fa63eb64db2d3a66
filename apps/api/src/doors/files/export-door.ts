import { finished, Readable } from 'node:stream'
import { ExportFormat, ExportReference, exportPermissions, isExport } from '@meridian/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type RequestMeta, writeAudit } from '../../audit/write-audit.ts'
import { findExport, lookerOf, readExport } from '../../exports/export-jobs.ts'
import { namesFor } from '../../operators/reveal-names.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'
import { requirePermission } from '../trpc/procedures.ts'
import { preferredServer } from '../trpc/route-calls.ts'
import { admitConsole } from '../trpc/trpc-door.ts'
import { fileTypes, openFile, type WantedFile } from './export-file.ts'
import { filterOf, openExportRecord } from './export-record.ts'
import { readSent, readTaker } from './file-taker.ts'
import { giveMonthPack } from './month-pack.ts'

type Taking = WantedFile & { operator: { id: string; email: string }; from: RequestMeta }

const Asked = z.object({ format: ExportFormat.default('csv') })

async function readTaking(services: Services, request: FastifyRequest, name: string): Promise<Taking> {
  const { session, operator, ...taker } = await readTaker(services, request)
  if (!isExport(name)) throw new DomainError('not_found')
  requirePermission(session, exportPermissions[name])
  const query = readSent(request)
  const asked = Asked.safeParse(request.query).data
  if (!asked) throw new DomainError('invalid_request')
  const taking: Taking = {
    ...taker,
    name,
    query,
    operator,
    email: operator.email,
    names: namesFor(session),
    prefers: preferredServer({ session, current: false }),
    format: asked.format,
  }
  try {
    filterOf(taking)
  } catch (error) {
    throw new DomainError('invalid_request', { cause: error })
  }
  return taking
}

/** A file that a worker wrote: for whoever asked or an owner, and for a role that may take the list now. */
async function giveFile(services: Services, request: FastifyRequest, id: string) {
  const { session, operator, from } = await readTaker(services, request)
  const { pool, prisma } = services.database
  const reference = ExportReference.safeParse({ id }).data
  if (!reference) throw new DomainError('not_found')
  const looker = lookerOf(session.operator)
  const file = await findExport(pool, { ...reference, ...looker })
  requirePermission(session, exportPermissions[file.list])
  const subject = { type: 'list', id: file.list }
  const entry = { operatorId: operator.id, action: 'export.download', subject, after: { export: id } }
  await writeAudit(prisma, entry, from)
  return { ...file, bytes: Readable.from(readExport(pool, id), { objectMode: false }) }
}

/** Whole lists that the console gives out: behind the same door as its other calls. */
export function exportDoor(services: Services) {
  return async (app: FastifyInstance) => {
    app.decorateRequest('browser', null)
    app.addHook('onRequest', (request) => admitConsole(services, request))
    app.post('/console/exports/month-pack', (request, reply) => giveMonthPack(services, request, reply))
    app.post<{ Params: { id: string } }>('/console/exports/kept/:id', async (request, reply) => {
      const { list, format, bytes } = await giveFile(services, request, request.params.id)
      return reply
        .type(fileTypes[format])
        .header('content-disposition', `attachment; filename="${list}.${format}"`)
        .send(bytes)
    })
    app.post<{ Params: { name: string } }>('/console/exports/:name', async (request, reply) => {
      const taking = await readTaking(services, request, request.params.name)
      const record = await openExportRecord(services, taking)
      // A client that is gone reads no line, so the lines alone would never close the record.
      finished(reply.raw, () =>
        record.finish({ whole: false }).catch((error: unknown) => request.log.error(error)),
      )
      return reply
        .type(fileTypes[taking.format])
        .header('content-disposition', `attachment; filename="${taking.name}.${taking.format}"`)
        .send(openFile(services, taking, record))
    })
  }
}
