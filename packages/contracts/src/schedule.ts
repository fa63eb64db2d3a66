/**
 * What runs when, in UTC: bills at half past ten in China, reminders while people are awake there. A run that was
 * missed is made up for within `fill`.
 */
export const schedule = [
  { cron: '30 2 * * *', job: 'reconcile_day', options: '?fill=7d' },
  { cron: '17 * * * *', job: 'queue_missed_shipping', options: '?max=3' },
  { cron: '5 1-13 * * *', job: 'remind_expiring', options: '?max=3' },
  { cron: '41 */6 * * *', job: 'refresh_keys', options: '?max=3' },
  { cron: '*/5 * * * *', job: 'check_invariants', options: '?max=3' },
  { cron: '7 19 * * *', job: 'forget_old', options: '?max=3' },
] as const
