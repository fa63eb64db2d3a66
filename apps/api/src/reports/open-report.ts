import { ReportDetail } from '@meridian/contracts'
import type { Database } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'

type Opening = Actor & { id: string }

/**
 * Shows somebody's report to an operator. It is health data: that it was opened, and by whom, is on record.
 * @throws DomainError report_not_found
 */
export async function openReport(
  database: Database,
  { id, operatorId, from }: Opening,
): Promise<ReportDetail> {
  return database.$transaction(async (db) => {
    const report = await db.report.findUnique({ where: { id } })
    if (!report) throw new DomainError('report_not_found')
    await writeAudit(
      db,
      {
        operatorId,
        action: 'report.open',
        subject: { type: 'report', id },
        after: { kind: report.kind, userId: report.userId },
      },
      from,
    )
    return ReportDetail.parse(report)
  })
}
