import {
  ExportLength,
  ExportReference,
  ExportRow,
  ExportStart,
  exportPermissions,
  RowCount,
} from '@meridian/contracts'
import { z } from 'zod'
import { cancelExport, listExports, lookerOf, startExport } from '../../exports/export-jobs.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { exports } from '../files/export-lists.ts'
import { filterOf } from '../files/export-record.ts'
import { keepQuery } from '../files/kept-query.ts'
import type { Call } from './console-call.ts'
import { operatorProcedure, requirePermission, router } from './procedures.ts'

/** What the list is narrowed by, as the audit log keeps it. */
function readFilter({ list: name, query }: ExportLength): Record<string, string> {
  try {
    return filterOf({ name, query })
  } catch (error) {
    throw new DomainError('invalid_request', { cause: error })
  }
}

/** Who may take the list may ask how long it is. */
async function lengthOf({ ctx, input: { list, query } }: Call<ExportLength>): Promise<RowCount> {
  requirePermission(ctx.session, exportPermissions[list])
  readFilter({ list, query })
  return exports[list].count(ctx.services.database.pool, query)
}

/** Has a list written by a worker, however long it is. */
async function start(call: Call<ExportStart>): Promise<{ id: string }> {
  const { ctx, input } = call
  const { count } = await lengthOf(call)
  const { email } = ctx.session.operator
  const kept = { query: keepQuery(input.query), expected: count, filter: readFilter(input) }
  const asked = { ...input, ...kept, language: ctx.language, email }
  return { id: await startExport(ctx.services.database.pool, asked, ctx.actor) }
}

export const exportRouter = router({
  list: operatorProcedure.output(z.object({ items: z.array(ExportRow) })).query(async ({ ctx }) => ({
    items: await listExports(ctx.services.database.pool, lookerOf(ctx.session.operator)),
  })),

  length: operatorProcedure.input(ExportLength).output(RowCount).query(lengthOf),

  start: operatorProcedure.input(ExportStart).output(ExportReference).mutation(start),

  cancel: operatorProcedure
    .input(ExportReference)
    .output(z.object({ items: z.array(ExportRow) }))
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await cancelExport(pool, { ...input, ...lookerOf(ctx.session.operator) }, ctx.actor)
      return { items: await listExports(pool, lookerOf(ctx.session.operator)) }
    }),
})
