import { meridian } from './client'

/** What the wearable gave, until it is stored: with its number it may be sent as often as it takes. */
type Given = Parameters<typeof meridian.reports.store>[0]

const unsentAt = 'reports-to-send'
const unsent = (): Given[] => wx.getStorageSync(unsentAt) || []

/** Numbers a report and keeps it, whatever becomes of the network. */
export function keepReport(given: Omit<Given, 'client_report_id'>): void {
  const client_report_id = `${Date.now()}-${Math.floor(Math.random() * 1e9)}`
  wx.setStorageSync(unsentAt, [...unsent(), { ...given, client_report_id }])
}

/** Throws where one could not be stored; it and those after it are kept for the next time. */
export async function sendUnsent(): Promise<void> {
  for (const report of unsent()) {
    await meridian.reports.store(report)
    const others = unsent().filter(({ client_report_id }) => client_report_id !== report.client_report_id)
    wx.setStorageSync(unsentAt, others)
  }
}
