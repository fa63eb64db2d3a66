import type { DashboardPlan } from './make-dashboard.ts'
import { chosen, figure, lines } from './make-panel.ts'

const rate = '$__rate_interval'
// Prometheus calls the metric's own label `job` so: its `job` names the program.
const name = 'exported_job'

const now = {
  title: 'Now',
  panels: [
    figure({
      title: 'Workers',
      description: 'Runners seen within a minute, in all processes; a process has several.',
      unit: 'short',
      bad: { below: 1 },
      queries: [{ expr: 'max(meridian_workers_alive)', legend: 'workers' }],
    }),
    figure({
      title: 'Due',
      description: 'Jobs that could run and are not taken yet.',
      unit: 'short',
      queries: [{ expr: 'max(meridian_jobs_due)', legend: 'due' }],
    }),
    figure({
      title: 'Oldest due',
      description: 'How long the oldest of them waits.',
      unit: 's',
      bad: { from: 60 },
      queries: [{ expr: 'max(meridian_jobs_oldest_due_seconds)', legend: 'waits' }],
    }),
    figure({
      title: 'Gave up',
      description: 'Jobs that were tried as often as they may be; the console can retry them.',
      unit: 'short',
      bad: { from: 1 },
      queries: [{ expr: 'max(meridian_jobs_dead)', legend: 'gave up' }],
    }),
    figure({
      title: 'Oldest event',
      description: 'How long the oldest event for another system waits.',
      unit: 's',
      bad: { from: 600 },
      queries: [{ expr: 'max(meridian_outbox_oldest_seconds)', legend: 'waits' }],
    }),
    figure({
      title: 'Failed tries',
      description: 'Within an hour; each is repeated later.',
      unit: 'short',
      queries: [
        {
          expr: `round(sum(increase(meridian_jobs_total{${chosen},end="error"}[1h])) or vector(0))`,
          legend: 'tries',
        },
      ],
    }),
  ],
}

const queue = {
  title: 'Queue',
  panels: [
    lines({
      title: 'Due and given up',
      description: 'Of all processes.',
      unit: 'short',
      queries: [
        { expr: 'max(meridian_jobs_due)', legend: 'due' },
        { expr: 'max(meridian_jobs_dead)', legend: 'gave up' },
      ],
    }),
    lines({
      title: 'Oldest due',
      description: 'Rises steadily where no worker takes jobs.',
      unit: 's',
      bad: { from: 60 },
      queries: [{ expr: 'max(meridian_jobs_oldest_due_seconds)', legend: 'waits' }],
    }),
  ],
}

const work = {
  title: 'Work',
  panels: [
    lines({
      title: 'Jobs that ended well',
      description: 'Per second, by name.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (${name}) (rate(meridian_jobs_total{${chosen},end="success"}[${rate}]))`,
          legend: `{{${name}}}`,
        },
      ],
    }),
    lines({
      title: 'Tries that failed',
      description: 'Per second; error is repeated, failed has given up.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (${name}, end) (rate(meridian_jobs_total{${chosen},end=~"error|failed"}[${rate}]))`,
          legend: `{{${name}}} {{end}}`,
        },
      ],
    }),
    lines({
      title: 'Duration, 95th percentile',
      description: 'However they ended.',
      unit: 's',
      queries: [
        {
          expr: `histogram_quantile(0.95, sum by (${name}, le) (rate(meridian_job_seconds_bucket{${chosen}}[30m])))`,
          legend: `{{${name}}}`,
        },
      ],
    }),
    lines({
      title: 'Share of time at work',
      description: 'Seconds of work in each second, by name: which job the workers are busy with.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (${name}) (rate(meridian_job_seconds_sum{${chosen}}[${rate}]))`,
          legend: `{{${name}}}`,
        },
      ],
    }),
    lines({
      title: 'Workers',
      description: 'Runners seen within a minute, in all processes.',
      unit: 'short',
      queries: [{ expr: 'max(meridian_workers_alive)', legend: 'workers' }],
    }),
    lines({
      title: 'Connections of the queue',
      description: 'Of the pools queue and jobs; waiting should stay at nothing.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (pool, state) (meridian_pool_connections{${chosen},pool=~"queue|jobs"})`,
          legend: '{{pool}} {{state}}',
        },
      ],
    }),
  ],
}

export const jobs: DashboardPlan = {
  name: 'jobs',
  title: 'background jobs',
  description: 'What waits, what runs, what failed, and who works.',
  jobs: 'meridian-(api|worker)',
  rows: [now, queue, work],
}
