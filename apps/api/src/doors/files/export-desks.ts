import {
  AppleInquiryListQuery,
  DayListQuery,
  DeferredListQuery,
  DifferenceListQuery,
  differenceKindWords,
  differenceStateWords,
  memberStateWords,
  NotificationListQuery,
  notificationOutcomeWords,
  operatorRoleWords,
  ParkedListQuery,
  parkReasonWords,
  ReportListQuery,
  reportKindWords,
  ShipmentListQuery,
  StaffListQuery,
  shipmentStateWords,
} from '@meridian/contracts'
import { listDeferredDays } from '../../finance/show-deferred.ts'
import { countNotifications, listNotifications } from '../../notifications/read-inbox.ts'
import { listStaff } from '../../operators/list-staff.ts'
import { countParkedOrders, listParkedOrders } from '../../orders/park-order.ts'
import { countDifferences, listDays, listDifferences } from '../../reconciliation/show-reconciliation.ts'
import { countInquiries, listInquiries } from '../../refunds/list-inquiries.ts'
import { countReports, listReports } from '../../reports/show-reports.ts'
import { countWaitingShipments, listWaitingShipments } from '../../shipping/show-shipping.ts'
import {
  dayColumns,
  deferredColumns,
  differenceColumns,
  inquiryColumns,
  notificationColumns,
  parkedColumns,
  reportColumns,
  shipmentColumns,
  staffColumns,
} from './export-desk-columns.ts'
import { asWritten, byName, ofChannel, within } from './export-filters.ts'
import { exportOf } from './export-source.ts'

const ofMemberState = { enabled: 'enabled', disabled: 'disabled' } as const

/** What waits on the desks, and what happened there. */
export const deskExports = {
  notifications: exportOf({
    Query: NotificationListQuery,
    columns: notificationColumns,
    phrases: {
      outcome: byName(
        '结果',
        'Outcome',
        ({ outcome }, language) => outcome && notificationOutcomeWords[language][outcome],
      ),
      from: within('首次投递', 'First delivery', ({ from, to }) => ({ from, to })),
      to: null,
      search: asWritten('搜索', 'Search', ({ search }) => search),
    },
    list: listNotifications,
    count: countNotifications,
  }),
  days: exportOf({ Query: DayListQuery, columns: dayColumns, phrases: {}, list: listDays }),
  deferred: exportOf({
    Query: DeferredListQuery,
    columns: deferredColumns,
    phrases: { month: asWritten('月份', 'Month', ({ month }) => month), channel: ofChannel },
    list: listDeferredDays,
  }),
  differences: exportOf({
    Query: DifferenceListQuery,
    columns: differenceColumns,
    phrases: {
      date: asWritten('账单日', 'Bill date', ({ date }) => date),
      state: byName(
        '状态',
        'Status',
        ({ state }, language) => state && differenceStateWords[language][state],
      ),
      kind: byName('类型', 'Type', ({ kind }, language) => kind && differenceKindWords[language][kind]),
      channel: ofChannel,
    },
    list: listDifferences,
    count: countDifferences,
  }),
  shipments: exportOf({
    Query: ShipmentListQuery,
    columns: shipmentColumns,
    phrases: {
      state: byName('状态', 'Status', ({ state }, language) => state && shipmentStateWords[language][state]),
    },
    list: listWaitingShipments,
    count: countWaitingShipments,
  }),
  inquiries: exportOf({
    Query: AppleInquiryListQuery,
    columns: inquiryColumns,
    phrases: { search: asWritten('搜索', 'Search', ({ search }) => search) },
    list: listInquiries,
    count: countInquiries,
  }),
  reports: exportOf({
    Query: ReportListQuery,
    columns: reportColumns,
    phrases: {
      kind: byName('类型', 'Type', ({ kind }, language) => kind && reportKindWords[language][kind]),
      from: within('开始时间', 'Start', ({ from, to }) => ({ from, to })),
      to: null,
      search: asWritten('搜索', 'Search', ({ search }) => search),
    },
    list: listReports,
    count: countReports,
  }),
  parked: exportOf({
    Query: ParkedListQuery,
    columns: parkedColumns,
    phrases: {
      left: byName('视图', 'View', ({ left }, language) =>
        left ? parkReasonWords[language].left_as_is : undefined,
      ),
    },
    list: listParkedOrders,
    count: countParkedOrders,
  }),
  staff: exportOf({
    Query: StaffListQuery,
    columns: staffColumns,
    phrases: {
      role: byName('角色', 'Role', ({ role }, language) => role && operatorRoleWords[language][role]),
      state: byName(
        '状态',
        'Status',
        ({ state }, language) => state && memberStateWords[language][ofMemberState[state]],
      ),
    },
    list: listStaff,
  }),
} as const
