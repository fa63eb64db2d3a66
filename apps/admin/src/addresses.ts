import {
  type AuditFilter,
  confirmationSources,
  type DeviceFilter,
  deviceStates,
  type OrderFilter,
  operatorRoles,
  orderMarks,
  orderSorts,
  orderStatuses,
  orderSteps,
  paymentChannels,
  type RefundFilter,
  type ReportFilter,
  refundStates,
  reportKinds,
  type SubscriptionFilter,
  subscriptionSorts,
  subscriptionStates,
  timeSorts,
  type UserFilter,
  userStates,
} from '@meridian/contracts'
import { parseAsInteger } from 'nuqs/server'
import { alerts, inbox, inquiries, notifications, reconciliation, shipping } from './desk-addresses.ts'
import {
  day,
  fen,
  given,
  listAddress,
  oneOf,
  type ParamsOf,
  search,
  searchOf,
  since,
  span,
  spanOf,
  tagId,
  text,
  typed,
  until,
} from './kit/list/address.ts'

const orders = listAddress({
  path: '/orders',
  params: {
    status: oneOf(orderStatuses),
    mark: oneOf(orderMarks),
    tag: tagId,
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
      tag: params.tag,
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
  params: { state: oneOf(userStates), tag: tagId, ...search, sort: oneOf(timeSorts).withDefault('newest') },
  filter: (params): UserFilter => given({ state: params.state, tag: params.tag, ...searchOf(params) }),
})

const devices = listAddress({
  path: '/devices',
  params: {
    state: oneOf(deviceStates),
    origin: oneOf(['inventory', 'phone']),
    tag: tagId,
    ...search,
    sort: oneOf(timeSorts).withDefault('newest'),
  },
  filter: ({ state, origin, tag, ...params }): DeviceFilter =>
    given({ state, tag, inventory: origin && origin === 'inventory', ...searchOf(params) }),
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

const staff = listAddress({
  path: '/staff',
  params: { role: oneOf(operatorRoles), state: oneOf(['enabled', 'disabled']) },
  filter: ({ role, state }) => given({ role, state }),
  usualRows: 50,
})

const tags = listAddress({
  path: '/tags',
  params: { state: oneOf(['archived']) },
  filter: ({ state }) => ({ isArchived: state === 'archived' }),
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
  tags,
}
