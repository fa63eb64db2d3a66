/**
 * Tables whose rows are counted in staff, plans, keys or days. All others grow with customers and payments: what is slow
 * on a table, or locks it for long, stops payments there.
 */
export const smallTables: ReadonlySet<string> = new Set([
  ...['alert_channels', 'alert_lease', 'condition_checks', 'observation_counts', 'worker_heartbeats'],
  ...[
    'api_keys',
    'approval_requests',
    'checklist_dismissals',
    'export_schedules',
    'grant_requests',
    'imports',
    'operators',
    'operator_changes',
    'recovery_codes',
    'saved_views',
  ],
  ...['backups', 'database_timelines', 'diagnosis_versions', 'reconciliation_days', 'rejection_counts'],
  ...['key_refreshes', 'merchant_certificates', 'platform_certificates', 'sealed_keys'],
  ...['plans', 'plan_price_changes', 'settings', 'setting_changes'],
])
