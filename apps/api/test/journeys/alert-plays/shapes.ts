import type { RaisedKind } from './play.ts'

/** One person with two orders, the earlier of which has a refund; and a number that is no order of ours. */
export const early = `M${'1'.repeat(26)}`
export const late = `M${'2'.repeat(26)}`
export const refund = `R${'7'.repeat(26)}`
const strange = `M${'9'.repeat(26)}`

/** The orders that an alert names, and its subject and detail as a writer of its kind writes them. */
export type Shape = readonly [orders: readonly string[], subject: string, detail: object]

const notification = 'xpay_complaint_notify:r1'
const transaction_id = '4200000000202611280000000001'
const platformRefund = '50300000000000000000000000000001'
const differing = { fields: ['amount'], differs: { amount: { ours: 2900, theirs: 1 } } }
const bought = { order: early, product_id: 'monthly', amount_fen: 2900 }
const complaint = {
  ...{ notification, complaint_id: 'C1', attempt_no: strange },
  ...{ reply_due: '2026-11-29T00:00:00.000Z', solution_due: '2026-12-01T00:00:00.000Z' },
}
const violated = (invariant: string, orders: readonly string[], subject: string): Shape => [
  orders,
  `${invariant} ${subject}`,
  { invariant, ...(orders[0] && { order: orders[0] }) },
]

/** Every way in which the program writes an alert of each kind. A kind without one does not compile. */
export const shapes: Readonly<Record<RaisedKind, readonly Shape[]>> = {
  payment_mismatch: [[[early], early, { ...differing, transaction_id }]],
  second_transaction: [[[early], early, { transaction_id }]],
  order_unknown: [
    [[strange], strange, { transaction_id }],
    [[strange], strange, { notification, known: true }],
    [[], 'SHOP-20261128-1', { notification, known: true }],
  ],
  possible_double_payment: [[[early, late], `${early} ${late}`, { orders: [late, early] }]],
  external_refund: [
    [[early], early, { out_refund_no: 'BY-HAND-1', amount_fen: 900 }],
    [[early], early, { refund_id: platformRefund, amount_fen: 900 }],
  ],
  virtual_price_differs: [[[early], 'monthly', bought]],
  virtual_payment_refused: [[[early], 'app_key', { ...bought, sheet_error: '15006', code: '-15006' }]],
  delivery_unconfirmed: [[[early], early, { attempt_no: strange }]],
  complaint_received: [
    [[early], early, complaint],
    [[], 'C1', complaint],
    [[], notification, { ...complaint, complaint_id: null }],
  ],
  account_risk: [
    [[], 'punishment', { notification, type: 'punishment', code: 'B1', state: null, remark: null }],
  ],
  coins_paid: [[[], notification, { notification }]],
  refund_mismatch: [
    [[early], refund, { order: early, ...differing }],
    [[early], platformRefund, { order: early, ...differing }],
  ],
  refund_abnormal: [[[early], refund, { order: early }]],
  refund_closed: [[[early], refund, { order: early }]],
  refund_stuck: [[[early], refund, { order: early, failure: 'NOT_ENOUGH' }]],
  refund_contradicted: [
    [[early], refund, { order: early, amount_fen: 100, ours: 'succeeded', theirs: 'closed', sum: 'held' }],
  ],
  notification_unreadable: [
    [[], 'malformed_envelope', { notification: 'EV-1', reason: 'malformed_envelope' }],
  ],
  invariant_violated: [
    violated('paid_without_grant', [early], early),
    violated('grant_without_paid_order', [early], early),
    violated('refunded_more_than_paid', [early], early),
    violated('attempt_differs_from_order', [early], early),
    violated('unpaid_and_forgotten', [early], early),
    violated('second_payment_overdrawn', [early], transaction_id),
    // It names a user, by whom no order is looked up.
    violated('ledger_differs', [], '01900000-0000-7000-8000-000000000001'),
    violated('payments_found_by_asking', [], 'last hour'),
    violated('two_owners_of_one_device', [], 'SN-2026-7731'),
    violated('deferred_income_differs', [], 'all orders'),
  ],
  bill_unavailable: [
    [[], '2026-11-27', { reason: 'platform_error', code: 'SYSTEM_ERROR' }],
    [[], '2026-11-27 virtual', { bill: 'virtual', date: '2026-11-27', reason: 'platform_error', code: null }],
  ],
  bill_differences: [[[], '2026-11-27', { added: 1 }]],
  shipping_refused: [[[early], early, { order: early, code: '10060031' }]],
  shipping_misconfigured: [[[early], '48001', { order: early, code: '48001' }]],
  reminder_misconfigured: [[[], '40037', { code: '40037' }]],
  order_parked: [[[early], early, { reason: 'late_payment' }]],
  clock_skewed: [[[], 'api.mch.weixin.qq.com', { skewMs: 120_000 }]],
  notifications_refused: [
    [[], 'verified', { last_accepted_at: null, refused: 3 }],
    [[], 'unverified', { last_accepted_at: null, refused: 3, severity: 'warning' }],
  ],
  prepay_failing: [[[], 'purchases', { failed: 3, of: 3 }]],
  payments_failing: [[[], 'requests', { failed: 3, served: 0, last_served_at: null }]],
  platform_unreachable: [[[], 'payment', { unanswered: 3, last_answer_at: null }]],
  payments_missing: [[[early], 'notifications', { missing: 2, since: null, out_trade_no: early }]],
  job_dead: [[[], 'sweep_order', { dead: 1, newest_job_id: '7' }]],
  workers_silent: [[[], 'workers', { due: 1, oldest_due_at: null, last_seen_at: null }]],
  key_expiring: [[[], 'merchant-certificate 5157F09EFDC0 month', { expires_at: null, days_left: 20 }]],
  backup_old: [[[], 'database', { newest_at: null }]],
  reconciliation_missing: [[[], '2026-11-27', { date: '2026-11-27' }]],
  export_failing: [
    [
      [],
      'payments 019a0000-0000-7000-8000-000000000001',
      { kind: 'payments', since: '2026-11-25T01:00:00.000Z' },
    ],
  ],
  limits_not_shared: [[[], 'redis', {}]],
  outbox_stuck: [[[], 'events', { oldest_at: null }]],
  endpoint_disabled: [
    [[], '0199f1a2-7b3c-7d4e-8f50-123456789abc', { endpoint: 'crm', because: 'failures' }],
    [[], '0199f1a2-7b3c-7d4e-8f50-123456789abc', { endpoint: 'crm', because: 'gone' }],
  ],
  database_timeline_changed: [
    [[], 'timeline 2', { timeline: 2, earlier: 1 }],
    [[], 'commits', {}],
  ],
  threshold_changed: [
    [
      [],
      'refund_approval_threshold_fen #01900000-0000-7000-8000-000000000001',
      { before: 1, after: 2, due: null },
    ],
  ],
  factor_changed: [[[], '01900000-0000-7000-8000-000000000001', { change: 'reset' }]],
  price_changed_far: [
    [
      [],
      'quarterly',
      { before: { priceFen: 100, durationDays: 90 }, after: { priceFen: 1, durationDays: 90 } },
    ],
  ],
  program_published: [[[], 'v2', { programs: ['relax: changed'] }]],
}
