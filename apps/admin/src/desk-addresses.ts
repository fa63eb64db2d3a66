import {
  type AlertFilter,
  differenceKinds,
  differenceStates,
  type InboxFilter,
  inboxKinds,
  inboxViews,
  type NotificationFilter,
  notificationOutcomes,
  type ParkedListQuery,
  paymentChannels,
  type RejectedListQuery,
  shipmentStates,
  timeSorts,
} from '@meridian/contracts'
import {
  given,
  listAddress,
  oneOf,
  type ParamsOf,
  pageOf,
  search,
  spanOf,
  text,
  typed,
} from './kit/list/address.ts'

export const inbox = listAddress({
  path: '/inbox',
  params: { view: oneOf(inboxViews).withDefault('you'), kind: oneOf(inboxKinds) },
  filter: ({ view, kind }): InboxFilter => ({ view, ...(kind && { kind }) }),
})

export type InboxParams = ParamsOf<typeof inbox>

export const inquiries = listAddress({
  path: '/refunds/inquiries',
  params: { q: text },
  filter: ({ q }) => given({ search: typed(q) }),
})

export const notifications = listAddress({
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

export const alerts = listAddress({
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

export const reconciliation = listAddress({
  path: '/reconciliation',
  params: {
    view: oneOf(['days', 'differences']).withDefault('days'),
    state: oneOf(differenceStates),
    kind: oneOf(differenceKinds),
    channel: oneOf(paymentChannels),
  },
  filter: ({ state, kind, channel }) => given({ state, kind, channel }),
})

export const shipping = listAddress({
  path: '/shipping',
  params: { state: oneOf(shipmentStates) },
  filter: ({ state }) => given({ state }),
})
