import { Checklist } from '@meridian/contracts'
import { hideChecklist, restoreChecklist } from '../../checklist/hide-checklist.ts'
import { showChecklist } from '../../checklist/show-checklist.ts'
import { onPrisma, showingAfter } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const thenShow = showingAfter<unknown, Checklist>(({ ctx }) =>
  showChecklist(ctx.services, ctx.session.operator.id),
)
const everybodys = permittedProcedure('checklist.hide_for_all')

export const checklistRouter = router({
  show: operatorProcedure
    .output(Checklist)
    .query(({ ctx }) => showChecklist(ctx.services, ctx.session.operator.id)),

  hide: operatorProcedure.output(Checklist).mutation(thenShow(onPrisma(hideChecklist('me')))),
  restore: operatorProcedure.output(Checklist).mutation(thenShow(onPrisma(restoreChecklist('me')))),
  hideForAll: everybodys.output(Checklist).mutation(thenShow(onPrisma(hideChecklist('everybody')))),
  restoreForAll: everybodys.output(Checklist).mutation(thenShow(onPrisma(restoreChecklist('everybody')))),
})
