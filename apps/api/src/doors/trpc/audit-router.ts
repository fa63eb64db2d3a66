import {
  AuditEntry,
  AuditFilter,
  AuditListQuery,
  AuditReference,
  AuditRow,
  mayOperator,
  RowCount,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { type AuditScope, countAudit, listActions, listAudit, showAudit } from '../../audit/list-audit.ts'
import type { SignedInOperator } from '../../operators/sign-in.ts'
import { operatorProcedure, router } from './procedures.ts'

const scopeOf = ({ operator }: SignedInOperator): AuditScope => ({
  onlyOperatorId: mayOperator(operator.role, 'audit.everybody') ? null : operator.id,
})

export const auditRouter = router({
  list: operatorProcedure
    .input(AuditListQuery)
    .output(twoWayPageOf(AuditRow))
    .query(({ ctx, input }) => listAudit(ctx.services.database.pool, input, scopeOf(ctx.session))),

  count: operatorProcedure
    .input(AuditFilter)
    .output(RowCount)
    .query(({ ctx, input }) => countAudit(ctx.services.database.pool, input, scopeOf(ctx.session))),

  detail: operatorProcedure
    .input(AuditReference)
    .output(AuditEntry)
    .query(({ ctx, input }) => showAudit(ctx.services.database.pool, input.id, scopeOf(ctx.session))),

  actions: operatorProcedure
    .output(z.object({ items: z.array(z.string()) }))
    .query(async ({ ctx }) => ({ items: await listActions(ctx.services.database.pool) })),
})
