import {
  type AlertFilter,
  type AuditFilter,
  confirmationSources,
  type DeviceFilter,
  deviceStates,
  differenceKinds,
  differenceStates,
  type InboxFilter,
  inboxKinds,
  inboxViews,
  type NotificationFilter,
  notificationOutcomes,
  type OrderFilter,
  operatorRoles,
  orderMarks,
  orderSorts,
  orderStatuses,
  orderSteps,
  type ParkedListQuery,
  paymentChannels,
  type RefundFilter,
  type RejectedListQuery,
  type ReportFilter,
  refundStates,
  reportKinds,
  type SubscriptionFilter,
  shipmentStates,
  subscriptionSorts,
  subscriptionStates,
  timeSorts,
  type UserFilter,
  userStates,
} from '@meridian/contracts'
import { parseAsInteger } from 'nuqs/server'
import {
  day,
  fen,
  given,
  listAddress,
  oneOf,
  type ParamsOf,
  pageOf,
  search,
  searchOf,
  since,
  span,
  spanOf,
  text,
  typed,
  until,
} from './kit/list/address.ts'

const inbox = listAddress({
  path: '/inbox',
  params: { view: oneOf(inboxViews).withDefault('you'), kind: oneOf(inboxKinds) },
  filter: ({ view, kind }): InboxFilter => ({ view, ...(kind && { kind }) }),
})

export type InboxParams = ParamsOf<typeof inbox>

const orders = listAddress({
  path: '/orders',
  params: {
    status: oneOf(orderStatuses),
    mark: oneOf(orderMarks),
    channel: oneOf(paymentChannels),
    plan: text,
    ...span,
    paid_from: day,
    paid_to: day,
    confirmed_by: oneOf(confirmationSources),
    reached: oneOf(orderSteps),
    min_fen: fen,
    max_fen: fen,
    q: text,
    sort: oneOf(orderSorts).withDefault('newest'),
  },
  filter: (params): OrderFilter =>
    given({
      status: params.status,
      mark: params.mark,
      channel: params.channel,
      planCode: params.plan,
      ...searchOf(params),
      paidFrom: since(params.paid_from),
      paidTo: until(params.paid_to),
      confirmedBy: params.confirmed_by,
      reached: params.reached,
      minAmountFen: params.min_fen,
      maxAmountFen: params.max_fen,
    }),
})

export type OrderParams = ParamsOf<typeof orders>

const users = listAddress({
  path: '/users',
  params: { state: oneOf(userStates), ...search, sort: oneOf(timeSorts).withDefault('newest') },
  filter: (params): UserFilter => given({ state: params.state, ...searchOf(params) }),
})

const devices = listAddress({
  path: '/devices',
  params: {
    state: oneOf(deviceStates),
    origin: oneOf(['inventory', 'phone']),
    ...search,
    sort: oneOf(timeSorts).withDefault('newest'),
  },
  filter: ({ state, origin, ...params }): DeviceFilter =>
    given({ state, inventory: origin && origin === 'inventory', ...searchOf(params) }),
})

/** How many days ahead the API looks for ends of subscriptions. */
const LONGEST_WAIT_DAYS = 3660

const subscriptions = listAddress({
  path: '/subscriptions',
  params: {
    state: oneOf(subscriptionStates),
    days_left: parseAsInteger,
    ...span,
    fresh_from: day,
    fresh_to: day,
    q: text,
    sort: oneOf(subscriptionSorts).withDefault('soonest'),
  },
  filter: ({ days_left, ...params }): SubscriptionFilter =>
    given({
      state: params.state,
      daysLeft: days_left !== null && days_left >= 1 && days_left <= LONGEST_WAIT_DAYS ? days_left : null,
      ...searchOf(params),
      freshFrom: since(params.fresh_from),
      freshTo: until(params.fresh_to),
    }),
})

const refunds = listAddress({
  path: '/refunds',
  params: {
    status: oneOf(refundStates),
    channel: oneOf(paymentChannels),
    ...search,
    succeeded_from: day,
    succeeded_to: day,
    sort: oneOf(['newest', 'oldest']).withDefault('newest'),
  },
  filter: ({ status, channel, succeeded_from, succeeded_to, ...params }): RefundFilter =>
    given({
      status,
      channel,
      ...searchOf(params),
      succeededFrom: since(succeeded_from),
      succeededTo: until(succeeded_to),
    }),
})

const inquiries = listAddress({
  path: '/refunds/inquiries',
  params: { q: text },
  filter: ({ q }) => given({ search: typed(q) }),
})

const notifications = listAddress({
  path: '/notifications',
  params: {
    view: oneOf(['inbox', 'rejected']).withDefault('inbox'),
    outcome: oneOf(notificationOutcomes),
    ...search,
    sort: oneOf(timeSorts).withDefault('newest'),
  },
  filter: (params): NotificationFilter =>
    given({ outcome: params.outcome, ...spanOf(params), search: typed(params.q, 128) }),
})

export type NotificationParams = ParamsOf<typeof notifications>

/** What could not be verified: the same page shows it apart. */
export const rejectedQueryOf = (params: NotificationParams): RejectedListQuery => ({
  ...pageOf(params),
  ...given(spanOf(params)),
})

const reports = listAddress({
  path: '/reports',
  params: { kind: oneOf(reportKinds), ...search, sort: oneOf(timeSorts).withDefault('newest') },
  filter: (params): ReportFilter => given({ kind: params.kind, ...searchOf(params) }),
})

const audit = listAddress({
  path: '/audit',
  params: { operator: text, action: text, ...search },
  filter: (params): AuditFilter =>
    given({
      operator: typed(params.operator, 254),
      action: typed(params.action),
      ...spanOf(params),
      search: typed(params.q, 128),
    }),
})

const alerts = listAddress({
  path: '/alerts',
  params: {
    view: oneOf(['parked', 'alerts', 'left', 'resolved']).withDefault('parked'),
    kind: text,
  },
  filter: ({ view, kind }): AlertFilter => ({
    state: view === 'resolved' ? 'resolved' : 'open',
    ...(kind && { kind: kind.slice(0, 64) }),
  }),
})

export type AlertParams = ParamsOf<typeof alerts>

/** Half of the desk shows orders on hold, the other half alerts. */
export const showsOrders = ({ view }: AlertParams): boolean => view === 'parked' || view === 'left'

export const parkedQueryOf = (params: AlertParams): ParkedListQuery => ({
  left: params.view === 'left',
  ...pageOf(params),
})

const reconciliation = listAddress({
  path: '/reconciliation',
  params: {
    view: oneOf(['days', 'differences']).withDefault('days'),
    state: oneOf(differenceStates),
    kind: oneOf(differenceKinds),
    channel: oneOf(paymentChannels),
  },
  filter: ({ state, kind, channel }) => given({ state, kind, channel }),
})

const shipping = listAddress({
  path: '/shipping',
  params: { state: oneOf(shipmentStates) },
  filter: ({ state }) => given({ state }),
})

const staff = listAddress({
  path: '/staff',
  params: { role: oneOf(operatorRoles), state: oneOf(['enabled', 'disabled']) },
  filter: ({ role, state }) => given({ role, state }),
  usualRows: 50,
})

const alertMessages = listAddress({ path: '/alerts/channels', params: {}, filter: () => ({}) })

/** What every list's address may say, and what that asks the API for. */
export const addresses = {
  inbox,
  orders,
  users,
  devices,
  subscriptions,
  refunds,
  inquiries,
  notifications,
  reports,
  audit,
  alerts,
  alertMessages,
  reconciliation,
  shipping,
  staff,
}
