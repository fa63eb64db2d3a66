import { FinanceMonth, MonthClosingAnswer, MonthReference } from '@meridian/contracts'
import { closeMonth } from '../../finance/close-month.ts'
import { showMonth } from '../../finance/show-month.ts'
import { onPool } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

export const financeRouter = router({
  month: operatorProcedure
    .input(MonthReference)
    .output(FinanceMonth)
    .query(({ ctx: { services }, input }) =>
      showMonth(services.database.pool, input, services.runtime.now()),
    ),

  closeMonth: permittedProcedure('month.close')
    .input(MonthReference)
    .output(MonthClosingAnswer)
    .mutation(onPool(closeMonth)),
})
