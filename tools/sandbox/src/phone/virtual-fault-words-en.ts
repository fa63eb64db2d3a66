import { alerts } from '@meridian/admin/messages/en/alerts'
import { notifications } from '@meridian/admin/messages/en/notifications'
import { order } from '@meridian/admin/messages/en/order'
import { refunds } from '@meridian/admin/messages/en/refunds'
import { shell } from '@meridian/admin/messages/en/shell'
import type { VirtualFault } from './fault-switches.ts'
import type { FaultWords } from './fault-words-zh.ts'

const byAsking = `on the order “${order.confirmedBy}” says “${order.channels.sync}” or “${order.channels.sweep}”`
const asked = 'About four seconds after paying it says “Paid”: no push came, so the mini-program asked.'
const asAlways = 'As always: “Paid” at once.'
const mismatched = `The push is a “${order.notificationOutcomes.mismatch}” that activates nothing, with the alert “${alerts.kinds.payment_mismatch}”, and comes again after 2, 4, 8 … seconds; what the query says is right, and ${byAsking}.`
const rejected = (reason: string) =>
  `Within a minute “${notifications.rejected}” on “${shell.pages.notifications}” counts “${reason}”; after several, the alert “${alerts.kinds.notifications_refused}”; ${byAsking}.`
const unasked =
  'Paying still says “Paid” at once, because the push comes; putting the sheet away says “Not confirmed yet”, because nobody knows whether it was paid.'
const byPush = `Orders that a push confirms are as always; those that only a query can confirm wait until the platform is back, and then ${byAsking}.`

/** What each fault of virtual payment does, in English. */
export const enVirtualFaults: Record<VirtualFault, FaultWords> = {
  push_drop: {
    name: 'Pushes lost',
    phone: asked,
    console: `There ${byAsking}; then the API tells the platform that the goods are delivered.`,
  },
  push_delay: {
    name: 'Pushes delayed by 5 s',
    phone: '“Confirming the payment…” stays for about four seconds, then “Paid”.',
    console: `There ${byAsking}; the push that comes late is “${order.notificationOutcomes.already_paid}”, and the days are given once.`,
  },
  push_duplicate: {
    name: 'Pushes sent twice',
    phone: 'As always: “Paid” at once, and the days are given once.',
    console: `On “${shell.pages.notifications}” it is one entry with 2 “${notifications.deliveries}”; the order has its days once.`,
  },
  push_reorder: {
    name: 'Pushes out of order',
    phone: asked,
    console: `The push waits for the next one, a minute at most; when it comes it is “${order.notificationOutcomes.already_paid}”.`,
  },
  push_corrupt_byte: {
    name: 'Pushes changed on the way',
    phone: asked,
    console: rejected(notifications.reasons.bad_signature),
  },
  push_wrong_key: {
    name: 'Pushes with a wrong token',
    phone: asked,
    console: rejected(notifications.reasons.bad_signature),
  },
  push_clock_skew: {
    name: 'Pushes dated ten minutes ago',
    phone: asAlways,
    console: `Nothing changes: a push may be repeated with its old time, so its time is not judged, and “${order.confirmedBy}” says “${order.channels.notification}”.`,
  },
  push_is_probe: {
    name: 'Simulated pushes (IsMock)',
    phone: asked,
    console: `A simulated push activates nothing in any environment and is only counted; ${byAsking}.`,
  },
  push_wrong_amount: { name: 'Pushes with a wrong amount', phone: asked, console: mismatched },
  push_wrong_product: { name: 'Pushes of another item', phone: asked, console: mismatched },
  push_wrong_env: { name: 'Pushes of the other environment', phone: asked, console: mismatched },
  push_wrong_app_id: {
    name: 'Pushes for another mini-program',
    phone: asked,
    console: rejected(notifications.reasons.undecryptable),
  },
  push_wrong_payer: {
    name: 'Pushes with another payer',
    phone: asAlways,
    console: `The order is paid, and its page says “${order.payerDiffers}”.`,
  },
  xpay_error_before: { name: 'Query and refund down', phone: unasked, console: byPush },
  xpay_rate_limited: { name: 'Query and refund rate limited', phone: unasked, console: byPush },
  xpay_html: { name: 'A web page instead of an answer', phone: unasked, console: byPush },
  xpay_token_expired: {
    name: 'Access token always expired',
    phone: unasked,
    console: `Each call takes a new token and tries once more, and fails again. ${byPush}`,
  },
  xpay_refund_closed: {
    name: 'Refunds of virtual payment fail',
    phone: 'The order stays “Paid” and keeps its days.',
    console: `Refund it on its page: on “${shell.pages.refunds}” it ends “${refunds.statuses.closed}” with the alert “${alerts.kinds.refund_closed}”, and the money can be refunded again.`,
  },
}
