import { DASHBOARD_MOST_DAYS, type DashboardRange, daysOfPreset } from '@meridian/contracts'
import type { inferParserType } from 'nuqs/server'
import { dayAfter } from '../../format.ts'
import { span } from '../../kit/list/address.ts'

/** The range of the dashboard, as it stands in the address; without one, the last thirty days. */
export const dashboardParsers = span

export type DashboardParams = inferParserType<typeof dashboardParsers>

const laterOf = (one: string, other: string): string => (one.localeCompare(other) < 0 ? other : one)

/** A range the API takes, whatever stands in the address: it keeps its end and is at most a quarter long. */
export function dashboardRangeOf({ from, to }: DashboardParams, today: string): DashboardRange {
  const end = to ?? today
  const start = from ?? daysOfPreset('lastMonth', end).from
  if (start > end) return { from: end, to: end }
  return { from: laterOf(start, dayAfter(end, 1 - DASHBOARD_MOST_DAYS)), to: end }
}
