import type { Actor, RequestMeta } from '../../audit/write-audit.ts'

/** Which operator acts in a procedure, and from where. */
export const actorOf = (ctx: { session: { operator: { id: string } }; from: RequestMeta }): Actor => ({
  operatorId: ctx.session.operator.id,
  from: ctx.from,
})
