import {
  PageQuery,
  REPORT_LIMIT_BYTES,
  Report,
  ReportList,
  ReportQuery,
  ReportRequest,
} from '@meridian/contracts'
import { z } from 'zod'
import { nextSlice } from '../../platform/streams/event-loop-turns.ts'
import { deleteOwnReport, getOwnReport, listOwnReports } from '../../reports/own-reports.ts'
import { storeReport } from '../../reports/store-report.ts'
import type { Services } from '../../services.ts'
import { failures } from './failures.ts'
import { type RestApp, userOf } from './signed-in.ts'
import { toReport, toReportHead } from './translate.ts'

/** Any text: a report that cannot exist is simply not found. */
const params = z.object({ id: z.string() })

/** What a person reads of their own reports. */
function readingRoutes(app: RestApp, { database, bigReads }: Services): void {
  app.get(
    '/reports',
    {
      schema: {
        querystring: PageQuery.extend(ReportQuery.shape),
        response: { 200: ReportList, ...failures('invalid_request') },
      },
    },
    async (request) => {
      const query = { ...request.query, userId: userOf(request).id }
      const page = await bigReads.run(() => listOwnReports(database.pool, query))
      return { items: page.items.map(toReportHead), next_cursor: page.nextCursor }
    },
  )

  app.get(
    '/reports/:id',
    { schema: { params, response: { 200: Report, ...failures('report_not_found') } } },
    async (request) => {
      const own = { userId: userOf(request).id, id: request.params.id }
      const report = await bigReads.run(() => getOwnReport(database.pool, own))
      await nextSlice()
      return toReport(report)
    },
  )
}

export function reportRoutes(app: RestApp, services: Services): void {
  const { database } = services
  readingRoutes(app, services)

  app.post(
    '/reports',
    {
      bodyLimit: REPORT_LIMIT_BYTES,
      config: { limit: 'reports' },
      schema: {
        body: ReportRequest,
        response: {
          200: Report,
          201: Report,
          ...failures('invalid_request', 'subscription_required', 'report_limit_reached'),
        },
      },
    },
    async (request, reply) => {
      await nextSlice()
      const { report, first } = await storeReport(database.pool, {
        userId: userOf(request).id,
        report: request.body,
      })
      await nextSlice()
      return reply.code(first ? 201 : 200).send(toReport(report))
    },
  )

  app.delete(
    '/reports/:id',
    { schema: { params, response: { 204: z.undefined(), ...failures('report_not_found') } } },
    async (request, reply) => {
      await deleteOwnReport(database.pool, { userId: userOf(request).id, id: request.params.id })
      return reply.code(204).send()
    },
  )
}
