import {
  FinanceMonth,
  IncomeReading,
  MonthClosingAnswer,
  MonthReference,
  OrderReference,
  PlanRevenueMonth,
  Receipt,
} from '@meridian/contracts'
import { closeMonth } from '../../finance/close-month.ts'
import { showOrderIncome } from '../../finance/read-income.ts'
import { showMonth } from '../../finance/show-month.ts'
import { showPlanRevenue } from '../../finance/show-plan-revenue.ts'
import { showReceipt } from '../../finance/show-receipt.ts'
import { onPool } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

export const financeRouter = router({
  month: operatorProcedure
    .input(MonthReference)
    .output(FinanceMonth)
    .query(({ ctx: { services }, input }) =>
      showMonth(services.database.pool, input, services.runtime.now()),
    ),

  planRevenue: operatorProcedure
    .input(MonthReference)
    .output(PlanRevenueMonth)
    .query(onPool(showPlanRevenue)),

  orderIncome: operatorProcedure
    .input(OrderReference)
    .output(IncomeReading.nullable())
    .query(({ ctx: { services }, input }) =>
      showOrderIncome(services.database.pool, input, services.runtime.now()),
    ),

  /** Nothing that the page of the order does not show: to look at it, or to print it, leaves no trace. */
  receipt: operatorProcedure.input(OrderReference).output(Receipt).query(onPool(showReceipt)),

  closeMonth: permittedProcedure('month.close')
    .input(MonthReference)
    .output(MonthClosingAnswer)
    .mutation(onPool(closeMonth)),
})
