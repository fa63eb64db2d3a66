/**
 * What runs when, in UTC: bills at half past ten in China, reminders while people are awake there. A run that was
 * missed is made up for within `fill`.
 */
export const schedule = [
  { cron: '30 2 * * *', job: 'reconcile_day', options: '?fill=7d' },
  { cron: '40 2 * * *', job: 'reconcile_virtual_day', options: '?fill=7d' },
  { cron: '17 * * * *', job: 'queue_missed_shipping', options: '?max=3' },
  { cron: '5 1-13 * * *', job: 'remind_expiring', options: '?max=3' },
  { cron: '41 */6 * * *', job: 'refresh_keys', options: '?max=3' },
  { cron: '*/5 * * * *', job: 'check_invariants', options: '?max=3' },
  { cron: '* * * * *', job: 'add_up', options: '?max=1' },
  { cron: '* * * * *', job: 'start_due_exports', options: '?max=1' },
  { cron: '*/10 * * * *', job: 'keep_funnels', options: '?max=1' },
  { cron: '0 1 * * 1', job: 'write_digest', options: '?fill=1d' },
  { cron: '7 19 * * *', job: 'forget_old', options: '?max=3' },
] as const

/** How long something is kept, in one unit. */
type Kept = { hours: number } | { days: number } | { months: number }

/**
 * How long each kind of row is kept before the daily job deletes it (SPEC §3 for notifications, §20 for failed sign-ins); docs/operations.md shows the same table.
 * The ledger, the timeline and the audit log are kept for ever.
 */
export const retention = {
  notifications: { months: 18 },
  rejected_deliveries: { days: 30 },
  rejection_counts: { months: 18 },
  /** After the end of a sign-in: until then its refresh tokens show whether one was used twice. */
  token_families: { days: 1 },
  operator_sessions: { days: 90 },
  sign_in_failures: { days: 90 },
  bind_challenges: { days: 1 },
  message_attempts: { days: 180 },
  /** Longer than a payment can be refunded: no bill to come can ask for them. The bytes of each bill are kept. */
  bill_rows: { days: 400 },
  bill_flows: { days: 400 },
  /** After an alert was resolved. */
  alerts: { months: 18 },
  alert_messages: { days: 90 },
  /** Since somebody was given something that waits, or put it off. */
  inbox_marks: { days: 400 },
  /** Tests of a channel that nobody sent. */
  waiting_alert_messages: { days: 1 },
  /** Files of lists that a worker wrote. */
  export_jobs: { hours: 24 },
  /** What happened, for other systems, and how it was sent; the newest event stays, by which whoever polls goes on. */
  events: { days: 30 },
  webhook_deliveries: { days: 30 },
  outbox_lines: { days: 30 },
  /** Files to import that were never whole, or that no worker read to the end: nothing of them is written. */
  import_uploads: { days: 7 },
  /** What dry runs and faulty files came to. What an import wrote is kept for good: a repeat changes nothing by it. */
  import_checks: { days: 90 },
  worker_heartbeats: { days: 1 },
  /** Longer than the platform repeats a delivery, which it gives up after a day. */
  observation_counts: { hours: 26 },
} as const satisfies Record<string, Kept>

export type Retained = keyof typeof retention

/** How long it is kept as PostgreSQL reads an interval, and as people do: `18 months`, `1 day`. */
export const retentionOf = (kind: Retained): string =>
  Object.entries(retention[kind])
    .map(([unit, count]) => `${count} ${count === 1 ? unit.slice(0, -1) : unit}`)
    .join()

/** Of what floods can write no more rows than this are kept, however young they are. */
export const keptRows = { rejected_deliveries: 10_000, sign_in_failures: 10_000 } as const
