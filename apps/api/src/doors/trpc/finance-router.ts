import { FinanceMonth, MonthReference } from '@meridian/contracts'
import { showMonth } from '../../finance/show-month.ts'
import { operatorProcedure, router } from './procedures.ts'

export const financeRouter = router({
  month: operatorProcedure
    .input(MonthReference)
    .output(FinanceMonth)
    .query(({ ctx: { services }, input }) =>
      showMonth(services.database.pool, input, services.runtime.now()),
    ),
})
