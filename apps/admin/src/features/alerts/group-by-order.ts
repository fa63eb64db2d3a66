import type { AlertRow } from '@meridian/contracts'

/** Which alerts belong together: the first order that one names, else itself alone. */
const groupOf = ({ id, outTradeNo, detail }: AlertRow): string => {
  if (outTradeNo) return outTradeNo
  return typeof detail['order'] === 'string' ? detail['order'] : `alert ${id}`
}

export type GroupedAlert = AlertRow & {
  /** The row above is about the same order. */
  isSameOrder: boolean
}

/** The alerts of a page with those of one order beneath the first of them; otherwise in the order they came. */
export function groupByOrder(alerts: readonly AlertRow[]): GroupedAlert[] {
  const groups = [...new Set(alerts.map(groupOf))]
  return groups.flatMap((group) =>
    alerts
      .filter((alert) => groupOf(alert) === group)
      .map((alert, index) => ({ ...alert, isSameOrder: index > 0 })),
  )
}
