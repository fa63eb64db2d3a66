import type { AuditRow } from '@meridian/contracts'
import { paths } from '../../paths.ts'

const pages: Readonly<Record<string, (id: string) => string>> = {
  alert: (id) => paths.alert({ id }),
  device: (serialNumber) => paths.device({ serialNumber }),
  month: (month) => paths.finance(month),
  notification: (id) => paths.notification({ id }),
  operator: (id) => paths.staffMember({ id }),
  order: (outTradeNo) => paths.order({ outTradeNo }),
  plan: (code) => paths.plan({ code }),
  reconciliation_day: (date) => paths.reconciledDay({ date }),
  reconciliation_difference: (id) => paths.difference({ id }),
  refund: (outRefundNo) => paths.refund({ outRefundNo }),
  report: (id) => paths.report({ id }),
  subscription: (userId) => paths.subscription({ userId }),
  tag: (id) => paths.orders({ tag: id }),
  user: (id) => paths.user({ id }),
}

/** Where the thing that was acted on is shown; null where it has no page. */
export const pageOfEntry = ({ subjectType, subjectId }: Pick<AuditRow, 'subjectType' | 'subjectId'>) =>
  pages[subjectType]?.(subjectId) ?? null
