import { finished } from 'node:stream'
import { ExportFormat, type ExportName, exportPermissions, isExport } from '@meridian/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RequestMeta } from '../../audit/write-audit.ts'
import type { Server } from '../../platform/database/open-replica.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { boundedStream, STREAM_LIMIT_ROWS } from '../../platform/streams/bounded-stream.ts'
import type { Services } from '../../services.ts'
import type { Language } from '../problem.ts'
import { preferredServer } from '../trpc/route-calls.ts'
import { admitConsole } from '../trpc/trpc-door.ts'
import { exports } from './export-lists.ts'
import { type ExportRecord, filterOf, openExportRecord } from './export-record.ts'
import { readSent, readTaker } from './file-taker.ts'
import { giveMonthPack } from './month-pack.ts'
import { beijingTime, type Cell } from './sheet.ts'
import { writeCsv } from './write-csv.ts'
import { writeXlsx } from './write-xlsx.ts'

type Taking = {
  name: ExportName
  /** The filter and the order of the list, as the console sent them. */
  query: unknown
  operator: { id: string; email: string }
  from: RequestMeta
  at: Date
  /** Which server the lines come from. */
  prefers: Server
  language: Language
  format: ExportFormat
}

const Asked = z.object({ format: ExportFormat.default('csv') })

async function readTaking(services: Services, request: FastifyRequest, name: string): Promise<Taking> {
  if (!isExport(name)) {
    await readTaker(services, request, 'export.orders')
    throw new DomainError('not_found')
  }
  const taker = await readTaker(services, request, exportPermissions[name])
  const query = readSent(request)
  const asked = Asked.safeParse(request.query).data
  if (!asked) throw new DomainError('invalid_request')
  const prefers = preferredServer({ session: taker.session, current: false })
  const taking: Taking = { ...taker, name, query, prefers, format: asked.format }
  try {
    filterOf(taking)
  } catch (error) {
    throw new DomainError('invalid_request', { cause: error })
  }
  return taking
}

/** The last line of every file: whose it is, and whether it ended early. */
function watermark(taking: Taking, rows: number, whole: boolean): Cell[] {
  const { name, query, operator, language } = taking
  const filter = exports[name].tell(query, language)
  const when = beijingTime(taking.at)
  const parts = {
    zh: [
      whole ? `共 ${rows} 行` : `只有前 ${rows} 行，请缩小范围`,
      `由 ${operator.email} 导出`,
      `导出时间：${when}（北京时间）`,
      `筛选：${filter.join('；') || '无'}`,
    ],
    en: [
      whole ? `Rows: ${rows}` : `The first ${rows} rows only: narrow the range`,
      `Exported by ${operator.email}`,
      `Exported at ${when} (Beijing time)`,
      `Filter: ${filter.join('; ') || 'none'}`,
    ],
  }
  return parts[language].map((text) => ({ as: 'words', text }))
}

async function* linesOf(services: Services, { taking, record }: { taking: Taking; record: ExportRecord }) {
  const { name, query, language, prefers } = taking
  const { reads, database } = services
  const found = exports[name].lines((page) => reads.read(prefers, () => page(database.pool)), {
    input: query,
    language,
  })
  const read = boundedStream(found, { rows: STREAM_LIMIT_ROWS })
  let next = await read.next()
  for (; !next.done; next = await read.next()) {
    record.count()
    yield next.value
  }
  const whole = !next.value
  yield watermark(taking, record.rows(), whole)
  await record.finish({ whole })
}

const formats = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: writeXlsx },
} as const satisfies Record<ExportFormat, unknown>

/** Whole lists that the console gives out: behind the same door as its other calls. */
export function exportDoor(services: Services) {
  return async (app: FastifyInstance) => {
    app.decorateRequest('browser', null)
    app.addHook('onRequest', (request) => admitConsole(services, request))
    app.post('/console/exports/month-pack', (request, reply) => giveMonthPack(services, request, reply))
    app.post<{ Params: { name: string } }>('/console/exports/:name', async (request, reply) => {
      const taking = await readTaking(services, request, request.params.name)
      const { name, language, at } = taking
      const record = await openExportRecord(services, taking)
      // A client that is gone reads no line, so the lines alone would never close the record.
      finished(reply.raw, () =>
        record.finish({ whole: false }).catch((error: unknown) => request.log.error(error)),
      )
      const { type, write } = formats[taking.format]
      const lines = linesOf(services, { taking, record })
      return reply
        .type(type)
        .header('content-disposition', `attachment; filename="${name}.${taking.format}"`)
        .send(write({ heads: exports[name].heads(language), lines, at }))
    })
  }
}
