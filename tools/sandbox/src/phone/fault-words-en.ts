import { alerts } from '@meridian/admin/messages/en/alerts'
import { notifications } from '@meridian/admin/messages/en/notifications'
import { order } from '@meridian/admin/messages/en/order'
import { orders, shipping } from '@meridian/admin/messages/en/orders'
import { refunds } from '@meridian/admin/messages/en/refunds'
import { shell } from '@meridian/admin/messages/en/shell'
import { users } from '@meridian/admin/messages/en/users'
import type { FaultKind } from '@meridian/payments/testing'
import type { FaultWords } from './fault-words-zh.ts'

const byAsking = `On the order “${order.confirmedBy}” says “${order.channels.sync}” or “${order.channels.sweep}”`
const asked = 'About four seconds after paying it says “Paid”: nothing was heard, so the mini-program asked.'
const refused =
  'It cannot be paid: “The payment platform failed”. Once the fault is off, “Pay now” pays the same order.'
const unprepared = `The order stays “${orders.statuses.created}” with “${order.eventKinds.prepay_failed}” on its timeline; after several, the alert “${alerts.kinds.prepay_failing}” or “${alerts.kinds.platform_unreachable}”.`
const mismatched = `The notification is a “${order.notificationOutcomes.mismatch}” that activates nothing, with the alert “${alerts.kinds.payment_mismatch}”; what the query says is right. ${byAsking}.`
const badSignature = `${byAsking}; within a minute “${notifications.rejected}” on “${shell.pages.notifications}” counts “${notifications.reasons.bad_signature}”; after several, the alert “${alerts.kinds.notifications_refused}”.`

/** What each fault of the switch does, in English. */
export const enFaults: Record<FaultKind, FaultWords> = {
  drop: {
    name: 'Lost',
    phone: asked,
    console: `${byAsking}, and below it stands “${order.notificationsEmpty}” Half an hour later, with two such payments, the alert “${alerts.kinds.payments_missing}”.`,
  },
  delay: {
    name: 'Delayed by 5 s',
    phone: '“Confirming the payment…” stays for about four seconds, then “Paid”.',
    console: `${byAsking}; the notification that comes late is “${order.notificationOutcomes.already_paid}”, and the days are given once.`,
  },
  duplicate: {
    name: 'Sent twice',
    phone: 'As always: “Paid” at once, and the days are given once.',
    console: `On “${shell.pages.notifications}” it is one entry with 2 “${notifications.deliveries}”; the order has its days once.`,
  },
  reorder: {
    name: 'Out of order',
    phone: asked,
    console: `The notification waits for the next one, a minute at most; when it comes it is “${order.notificationOutcomes.already_paid}”.`,
  },
  probe: {
    name: 'Probing the signature',
    phone: asked,
    console: `${byAsking}; “${notifications.rejected}” counts a “${notifications.reasons.probe}” and keeps no sample.`,
  },
  corrupt_byte: {
    name: 'A byte changed on the way',
    phone: asked,
    console: badSignature,
  },
  wrong_key: {
    name: 'Signed with a wrong key',
    phone: asked,
    console: badSignature,
  },
  unknown_serial: {
    name: 'Key with an unknown serial',
    phone: asked,
    console: `${byAsking}; within a minute “${notifications.rejected}” on “${shell.pages.notifications}” counts “${notifications.reasons.unknown_serial}”; after several, the alert “${alerts.kinds.notifications_refused}”.`,
  },
  clock_skew: {
    name: 'Clock ten minutes slow',
    phone: asked,
    console: `${byAsking}; within a minute “${notifications.rejected}” on “${shell.pages.notifications}” counts “${notifications.reasons.stale}”; after several, the alert “${alerts.kinds.notifications_refused}”.`,
  },
  wrong_amount: {
    name: 'Wrong amount',
    phone: asked,
    console: mismatched,
  },
  wrong_currency: {
    name: 'Wrong currency',
    phone: asked,
    console: mismatched,
  },
  wrong_app_id: {
    name: 'Wrong app id',
    phone: asked,
    console: mismatched,
  },
  wrong_mch_id: {
    name: 'Wrong merchant id',
    phone: asked,
    console: mismatched,
  },
  wrong_payer: {
    name: 'Another payer',
    phone: 'As always: “Paid” at once.',
    console: `The order is paid, and its page says “${order.payerDiffers}”.`,
  },
  error_before: {
    name: 'Down, nothing is done',
    phone: refused,
    console: unprepared,
  },
  error_after: {
    name: 'Done, but answered as failed',
    phone: refused,
    console: unprepared,
  },
  rate_limited: {
    name: 'Rate limited',
    phone: refused,
    console: unprepared,
  },
  html: {
    name: 'A web page instead',
    phone: refused,
    console: unprepared,
  },
  unsigned: {
    name: 'Without a signature',
    phone: refused,
    console: unprepared,
  },
  refund_abnormal: {
    name: 'Refunds end abnormal',
    phone: 'The order stays “Paid” and keeps its days.',
    console: `Refund it on its page: on “${shell.pages.refunds}” it turns “${refunds.statuses.abnormal}” and offers “${refunds.redirect}”, with the alert “${alerts.kinds.refund_abnormal}”.`,
  },
  refund_closed: {
    name: 'Refunds end closed',
    phone: 'The order stays “Paid” and keeps its days.',
    console: `Refund it on its page: on “${shell.pages.refunds}” it ends “${refunds.statuses.closed}” with the alert “${alerts.kinds.refund_closed}”, and the money can be refunded again.`,
  },
  token_expired: {
    name: 'Access token expired',
    phone: 'Allow the reminder and go to the last days: no message from WeChat comes.',
    console: `On “${shell.pages.users}” the “${users.messages}” of this user show none as “${users.messageSent}”.`,
  },
  not_subscribed: {
    name: 'User does not allow messages',
    phone: 'Allow the reminder and go to the last days: no message from WeChat comes.',
    console: `On “${shell.pages.users}” the “${users.messages}” of this user say “${users.messageFailures[43101]}”.`,
  },
  shipping_not_ready: {
    name: 'Not ready for shipping info',
    phone: 'Nothing changes: the paid order is good.',
    console: `Switch the upload on in “${shell.pages.settings}”: on “${shell.pages.shipping}” the order stays “${shipping.states.pending}” and is tried again.`,
  },
}
