/**
 * The closed sets of words that the console's addresses know, as plain values: a page needs them at its first load, and
 * not the schemas, which bring zod along (30 KB).
 */
export const orderStatuses = ['created', 'prepay', 'paid', 'closed', 'refunded'] as const
/** By which of the platform's two channels an order is paid (SPEC §15). */
export const paymentChannels = ['jsapi', 'virtual'] as const
export const confirmationSources = ['notification', 'sync', 'sweep', 'bill', 'admin_sync', 'replay'] as const
export const refundStatuses = [
  'requested',
  'approved',
  'processing',
  'succeeded',
  'closed',
  'abnormal',
  'rejected',
] as const
export const refundStates = [...refundStatuses, 'refused', 'stopped'] as const
export const refundTabs = [
  'all',
  'requested',
  'processing',
  'refused',
  'abnormal',
  'succeeded',
  'rejected',
] as const
/** The colours that a tag may have, and what may bear one. */
export const tagColors = ['gray', 'red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink'] as const
export const taggedKinds = ['order', 'user', 'device'] as const
/** By the time a row came to be. */
export const timeSorts = ['newest', 'oldest'] as const
export const orderSorts = [...timeSorts, 'amount_desc', 'amount_asc'] as const
export const orderSteps = ['prepay', 'paid'] as const
export const orderMarks = ['refunding', 'partly_refunded', 'parked'] as const
export const orderTabs = ['all', ...orderStatuses, ...orderMarks] as const
export const notificationOutcomes = [
  'applied',
  'already_paid',
  'ignored',
  'order_unknown',
  'mismatch',
  'second_transaction',
  'deferred',
  'unreadable',
] as const
/** These end a notification; with any other the next delivery of it, or a replay, is processed afresh. */
export const finalOutcomes = ['applied', 'already_paid', 'ignored'] as const
export const attemptStates = ['open', 'paid', 'second', 'closed'] as const
/** What the platform of virtual payment says of an attempt when it is asked (SPEC §15). */
export const attemptAnswers = [
  'unpaid',
  'closed',
  'paid',
  'delivered',
  'refunding',
  'refunded',
  'unknown',
  'no_such_order',
] as const
/** What a client says of itself, as far as sale is told apart by it. */
export const salePlatforms = ['ios', 'android', 'other'] as const
export const saleChannels = [...paymentChannels, 'none'] as const
export const subscriptionStates = ['active', 'expired'] as const
export const subscriptionSorts = ['soonest', 'latest'] as const
export const differenceKinds = ['ours_only', 'theirs_only', 'amount', 'status', 'refund', 'fee'] as const
export const differenceStates = ['open', 'resolved'] as const
export const shipmentStates = ['pending', 'failed'] as const
export const reportKinds = ['scan', 'treatment'] as const
export const userStates = ['active', 'disabled', 'erased'] as const
export const deviceStates = ['bound', 'unbound', 'disabled'] as const
export const exportFormats = ['csv', 'xlsx'] as const
export const operatorRoles = ['viewer', 'operator', 'finance', 'owner'] as const
/** What waits for somebody: the sources of the queue, its urgencies, its parts, and why a refund stands in it. */
export const inboxKinds = ['approval', 'order', 'refund', 'alert', 'difference', 'mention'] as const
export const inboxUrgencies = ['urgent', 'normal', 'low'] as const
export const inboxViews = ['you', 'mine', 'unassigned', 'all', 'snoozed'] as const
export const inboxTopicsOfRefunds = ['abnormal', 'contradicted', 'refused', 'overdue'] as const
/** What one person may not change alone, where the change itself is kept; and everything that waits for a second person. */
export const approvalKinds = ['setting', 'plan', 'diagnosis', 'refund_stop'] as const
export const waitingKinds = [...approvalKinds, 'refund', 'grant'] as const
/** What a customer's feed is narrowed to. */
export const feedKinds = [
  'money',
  'access',
  'devices',
  'reports',
  'messages',
  'sessions',
  'notes',
  'account',
] as const
export const deskViews = ['parked', 'alerts', 'left', 'resolved'] as const
/** By which fact an alert was over without anybody saying so. */
export const healingFacts = [
  'condition_over',
  'order_paid',
  'order_refunded',
  'order_decided',
  'refund_succeeded',
  'refund_ended',
  'refund_accepted',
  'refund_replaced',
  'notification_processed',
  'bill_reconciled',
  'differences_resolved',
  'shipping_uploaded',
  'reminders_sent',
  'factor_confirmed',
  'delivery_confirmed',
] as const
/** What came of a call to the platform that moved nothing, and what a failed one was for our client. */
export const platformAnswers = ['not_paid', 'closed', 'no_such_order', 'unknown', 'failed'] as const
export const platformFailures = ['payment_platform_error', 'payment_platform_timeout'] as const

/** What is typed to confirm that the sandbox is filled: it cannot be taken out again by itself. */
export const SAMPLE_DATA_WORD = 'sample data'
