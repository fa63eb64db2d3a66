import type { Report, ReportRequest } from '@meridian/contracts'
import type { Phone } from '@meridian/miniprogram-client'

const unsentAt = 'reports-to-send'

type Store = (report: ReportRequest) => Promise<Report>

/** What the wearable gave, until it is stored: with its number it may be sent as often as it takes. */
export function keepUnsent({ storage }: Phone) {
  const read = (): ReportRequest[] => JSON.parse(storage.read(unsentAt) ?? '[]')
  const write = (reports: readonly ReportRequest[]) =>
    storage.write(unsentAt, reports.length === 0 ? null : JSON.stringify(reports))
  return {
    keep: (report: Omit<ReportRequest, 'client_report_id'>): void =>
      write([...read(), { ...report, client_report_id: crypto.randomUUID() }]),
    /** Answers the report sent last; null where there was none. Throws where one could not be stored: it is kept. */
    send: async (store: Store): Promise<Report | null> => {
      let last: Report | null = null
      for (const report of read()) {
        last = await store(report)
        write(read().filter(({ client_report_id }) => client_report_id !== report.client_report_id))
      }
      return last
    },
  }
}
