import { Churn, Cohorts, DeferredIncome, DeferredQuery, MonthRange } from '@meridian/contracts'
import { showChurn, showCohorts } from '../../finance/show-cohorts.ts'
import { showDeferred } from '../../finance/show-deferred.ts'
import { onPool } from './console-call.ts'
import { operatorProcedure, router } from './procedures.ts'

export const revenueRouter = router({
  deferred: operatorProcedure
    .input(DeferredQuery)
    .output(DeferredIncome)
    .query(onPool((pool, asked) => showDeferred(pool, asked))),

  churn: operatorProcedure.input(MonthRange).output(Churn).query(onPool(showChurn)),

  cohorts: operatorProcedure.input(MonthRange).output(Cohorts).query(onPool(showCohorts)),
})
