import type { Pool } from 'pg'
import { grantRights } from './grant-rights.ts'

/**
 * The role whose members run Meridian: reads and writes rows, and can neither change tables nor rewrite what is
 * append-only. Migrations run as the owner of the tables. The role cannot log in; whoever does is made a member of it.
 */
export const runtimeRole = 'meridian_runtime'

/**
 * INSERT and SELECT alone: the ledger, the timeline, the audit log, second payments, months that are closed, from when
 * an account counts as a person, and what became of each notification (which a foreign key deletes together with it).
 */
export const appendOnlyTables = [
  'grants',
  'order_events',
  'audit_entries',
  'operator_changes',
  'notification_outcomes',
  'second_payments',
  'note_withdrawals',
  'month_closings',
] as const
/**
 * What was asked, by whom and when never changes, so that a second person decides what they saw (SPEC §20): UPDATE of
 * these columns alone, the decision and what follows from it. Of a note nothing changes but that its text goes with the
 * person it concerns; a trigger holds that.
 */
export const decidedTables = {
  approval_requests: ['state', 'decided_by', 'decided_at'],
  grant_requests: ['state', 'decided_by', 'decided_at'],
  refunds: [
    ...[
      'status',
      'approved_by',
      'decided_at',
      'submitted_at',
      'succeeded_at',
      'platform_refund_id',
      'failure',
    ],
    ...['contradicted_by', 'contradicted_at', 'contradiction_decided_at', 'held'],
    ...['sendings', 'answers', 'last_sent_at', 'sent_left_fen', 'stop_request_id', 'stopped_at'],
  ],
  order_attempts: [
    ...['state', 'params', 'asked_at', 'wx_order_id', 'channel_order_id', 'by_apple', 'delivered_at'],
    ...['settlement', 'settled_at', 'fee_fen', 'platform_state', 'platform_fen', 'platform_left_fen'],
  ],
  apple_inquiries: ['asked'],
  notes: ['text'],
  note_mentions: ['seen_at'],
} as const
/** SELECT alone: the migrations' own record, and the chain that only its trigger writes. */
const readOnlyTables = ['_prisma_migrations', 'audit_chain']

const rightsIn = (schema: string) => [
  `GRANT USAGE ON SCHEMA ${schema} TO ${runtimeRole}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${runtimeRole}`,
  `GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${runtimeRole}`,
]

// The job library's tables let nobody but their owner see a row (row-level security) unless a policy says so. Only where
// it is missing: it locks the table, on which every payment puts a job.
const openJobTables = `
  DO $$
  DECLARE
    held record;
  BEGIN
    FOR held IN SELECT c.oid::regclass AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'graphile_worker' AND c.relkind = 'r' AND c.relrowsecurity
        AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = '${runtimeRole}')
    LOOP
      EXECUTE format('CREATE POLICY ${runtimeRole} ON %s TO ${runtimeRole} USING (true) WITH CHECK (true)', held.name);
    END LOOP;
  END $$`

const rights = [
  ...rightsIn('public'),
  `REVOKE UPDATE, DELETE ON ${appendOnlyTables.join(', ')} FROM ${runtimeRole}`,
  `REVOKE INSERT, UPDATE, DELETE ON ${readOnlyTables.join(', ')} FROM ${runtimeRole}`,
  ...Object.entries(decidedTables).flatMap(([table, columns]) => [
    `REVOKE UPDATE, DELETE ON ${table} FROM ${runtimeRole}`,
    `GRANT UPDATE (${columns.join(', ')}) ON ${table} TO ${runtimeRole}`,
  ]),
  ...rightsIn('graphile_worker'),
  `REVOKE INSERT, UPDATE, DELETE ON graphile_worker.migrations FROM ${runtimeRole}`,
  openJobTables,
]

/**
 * Gives the runtime role its rights on every table there is; to be called by the owner after each migration. Answers
 * false where the role does not exist and this user may not create it: then nothing is granted.
 * @throws Error when others held the locks that it needs for a minute
 */
export const grantRuntimeRights = (pool: Pool): Promise<boolean> => grantRights(pool, runtimeRole, rights)

/** Whether this connection's role could rewrite the ledger: it owns the tables or is a superuser. */
export async function mayRewriteLedger(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>(
    `SELECT has_table_privilege('grants', 'UPDATE') OR has_table_privilege('grants', 'TRIGGER') AS may`,
  )
  return rows[0]?.may ?? false
}
