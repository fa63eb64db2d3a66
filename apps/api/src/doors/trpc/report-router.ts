import {
  ReportDetail,
  ReportFilter,
  ReportListQuery,
  ReportReference,
  ReportRow,
  RowCount,
  twoWayPageOf,
} from '@meridian/contracts'
import { countReports, listReports } from '../../reports/list-reports.ts'
import { openReport } from '../../reports/open-report.ts'
import { permittedProcedure, router } from './procedures.ts'
import { onPool } from './resolvers.ts'

const reading = permittedProcedure('report.read')

export const reportRouter = router({
  list: reading.input(ReportListQuery).output(twoWayPageOf(ReportRow)).query(onPool(listReports)),

  totals: reading.input(ReportFilter).output(RowCount).query(onPool(countReports)),

  /** A mutation, because that it was opened goes on record. */
  open: reading
    .input(ReportReference)
    .output(ReportDetail)
    .mutation(({ ctx: { services, session, from }, input: { id } }) =>
      services.bigReads.run(() =>
        openReport(services.database.prisma, { id, operatorId: session.operator.id, from }),
      ),
    ),
})
