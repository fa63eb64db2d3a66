import { Readable } from 'node:stream'
import { type ExportName, exportPermissions, isExport } from '@meridian/contracts'
import { stringify } from 'csv-stringify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import superjson from 'superjson'
import { z } from 'zod'
import { type Footprint, writeAudit } from '../../audit/write-audit.ts'
import { DomainError } from '../../domain-error.ts'
import { boundedStream, STREAM_LIMIT_ROWS } from '../../platform/streams/bounded-stream.ts'
import type { Services } from '../../services.ts'
import { type Language, languageOf } from '../problem.ts'
import { requirePermission, requireSecondFactor } from '../trpc/require-permission.ts'
import { admitConsole, header, readSession } from '../trpc/trpc-door.ts'
import { beijingTime } from './export-columns.ts'
import { exports } from './export-lists.ts'

type Taking = {
  name: ExportName
  /** The filter and the order of the list, as the console sent them. */
  query: unknown
  operator: { id: string; email: string }
  from: Footprint
  at: Date
  language: Language
}

const Sent = z.object({ json: z.unknown(), meta: z.unknown().optional() })

/** What a list is narrowed by, in words that can be kept. */
function filterOf({ name, query }: Taking): Record<string, string> {
  const { limit: _limit, cursor: _cursor, ...filter } = exports[name].read(query)
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]) => [
      key,
      value instanceof Date ? value.toISOString() : String(value),
    ]),
  )
}

async function readTaking(services: Services, request: FastifyRequest, name: string): Promise<Taking> {
  const session = await readSession(services, request)
  if (!session) throw new DomainError('unauthenticated')
  if (session.operator.mustChangePassword) throw new DomainError('password_change_required')
  requireSecondFactor(session)
  if (!isExport(name)) throw new DomainError('not_found')
  requirePermission(session, exportPermissions[name])
  const sent = Sent.safeParse(request.body).data
  if (!sent) throw new DomainError('invalid_request')
  const query: unknown = superjson.deserialize(JSON.parse(JSON.stringify(sent)))
  const { address, userAgent } = request.browser ?? { address: request.ip, userAgent: '' }
  const taking: Taking = {
    name,
    query,
    operator: session.operator,
    from: { address, userAgent, requestId: request.id },
    at: session.at,
    language: languageOf(header(request, 'accept-language')),
  }
  try {
    filterOf(taking)
  } catch (error) {
    throw new DomainError('invalid_request', { cause: error })
  }
  return taking
}

/** Who took what is known before the first byte leaves; how much it was, once the last has. */
async function audit({ database }: Services, taking: Taking, outcome?: { rows: number; whole: boolean }) {
  const { name, operator, from } = taking
  const act = { operatorId: operator.id, subject: { type: 'list', id: name } }
  await writeAudit(
    database.prisma,
    {
      ...act,
      action: outcome ? 'export.finish' : 'export.start',
      after: { filter: filterOf(taking), ...outcome },
    },
    from,
  )
}

/** The last line of every file: whose it is, and whether it ended early. */
function watermark(taking: Taking, rows: number, whole: boolean): string[] {
  const { operator, language } = taking
  const filter = Object.entries(filterOf(taking))
    .map(([key, value]) => `${key}: ${value}`)
    .join('; ')
  const when = beijingTime(taking.at)
  return language === 'zh'
    ? [
        whole ? `共 ${rows} 行` : `只有前 ${rows} 行，请缩小范围`,
        `由 ${operator.email} 导出`,
        `${when}（北京时间）`,
        `筛选：${filter || '无'}`,
      ]
    : [
        whole ? `${rows} rows` : `The first ${rows} rows only: narrow the range`,
        `Taken by ${operator.email}`,
        `${when} (Beijing time)`,
        `Filter: ${filter || 'none'}`,
      ]
}

async function* linesOf(services: Services, taking: Taking) {
  const { columns, lines } = exports[taking.name]
  let rows = 0
  let whole = false
  try {
    yield columns.map((column) => column[taking.language])
    const read = boundedStream(lines(services.database.pool, taking.query), { rows: STREAM_LIMIT_ROWS })
    let next = await read.next()
    for (; !next.done; next = await read.next()) {
      rows += 1
      yield next.value
    }
    const more = next.value
    yield watermark(taking, rows, !more)
    whole = !more
  } finally {
    await audit(services, taking, { rows, whole })
  }
}

/** Whole lists that the console gives out: behind the same door as its other calls. */
export function exportDoor(services: Services) {
  return async (app: FastifyInstance) => {
    app.decorateRequest('browser', null)
    app.addHook('onRequest', (request) => admitConsole(services, request))
    app.post<{ Params: { name: string } }>('/console/exports/:name', async (request, reply) => {
      const taking = await readTaking(services, request, request.params.name)
      await audit(services, taking)
      const csv = stringify({ bom: true, escape_formulas: true, record_delimiter: 'windows' })
      const lines = Readable.from(linesOf(services, taking))
      lines.on('error', (error) => csv.destroy(error))
      csv.on('close', () => lines.destroy())
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${taking.name}.csv"`)
        .send(lines.pipe(csv))
    })
  }
}
