import { WaitingApproval } from '@meridian/contracts'
import { z } from 'zod'
import { listWaiting } from '../../approvals/list-waiting.ts'
import { operatorProcedure, router } from './procedures.ts'

export const approvalRouter = router({
  waiting: operatorProcedure.output(z.object({ items: z.array(WaitingApproval) })).query(async ({ ctx }) => ({
    items: await listWaiting(ctx.services.database.pool, { operatorId: ctx.session.operator.id }),
  })),
})
