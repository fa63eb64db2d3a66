import type { DashboardPlan } from './make-dashboard.ts'
import { chosen, figure, lines } from './make-panel.ts'

const pools = (state: string, by: string) =>
  `sum by (${by}) (meridian_pool_connections{${chosen},state="${state}"})`

const now = {
  title: 'Now',
  panels: [
    figure({
      title: 'At the primary',
      description: 'Processes whose connection leads to a primary.',
      unit: 'short',
      bad: { below: 1 },
      queries: [{ expr: 'sum(meridian_database_role{role="primary"})', legend: 'processes' }],
    }),
    figure({
      title: 'At a standby',
      description: 'What they write fails.',
      unit: 'short',
      bad: { from: 1 },
      queries: [{ expr: 'sum(meridian_database_role{role="standby"})', legend: 'processes' }],
    }),
    figure({
      title: 'Without the database',
      description: 'Processes that answer and could read no figure from the database.',
      unit: 'short',
      bad: { from: 1 },
      queries: [
        {
          expr: 'sum(up{job=~"meridian-(api|worker)"}) - (count(meridian_database_role{role="primary"}) or vector(0))',
          legend: 'processes',
        },
      ],
    }),
    figure({
      title: 'Payments waiting',
      description: 'Requests that wait for a connection of the pool payments.',
      unit: 'short',
      bad: { from: 1 },
      queries: [
        {
          expr: `sum(meridian_pool_connections{${chosen},pool="payments",state="waiting"})`,
          legend: 'waiting',
        },
      ],
    }),
    figure({
      title: 'Connections',
      description: 'Open to the database from all chosen processes; compare with max_connections.',
      unit: 'short',
      queries: [{ expr: `sum(meridian_pool_connections{${chosen},state=~"used|idle"})`, legend: 'open' }],
    }),
    figure({
      title: 'Redis',
      description: '1 where every process shares its limits; nothing where none is configured.',
      unit: 'short',
      bad: { below: 1 },
      queries: [{ expr: 'min(meridian_redis_up)', legend: 'up' }],
    }),
  ],
}

const connections = {
  title: 'Connections',
  panels: [
    lines({
      title: 'In use by pool',
      description: 'Each kind of work has a pool of its own in every process.',
      unit: 'short',
      queries: [{ expr: pools('used', 'pool'), legend: '{{pool}}' }],
    }),
    lines({
      title: 'Waiting for one',
      description: 'Should stay at nothing; payments give up after two seconds.',
      unit: 'short',
      bad: { from: 1 },
      queries: [{ expr: pools('waiting', 'pool, instance'), legend: '{{pool}} {{instance}}' }],
    }),
    lines({
      title: 'Open by process',
      description: 'In use and idle.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (job, instance) (meridian_pool_connections{${chosen},state=~"used|idle"})`,
          legend: '{{job}} {{instance}}',
        },
      ],
    }),
    lines({
      title: 'Share of the pool in use',
      description: 'Used of open connections; at 1 the next request opens one or waits.',
      unit: 'percentunit',
      queries: [
        {
          expr: `${pools('used', 'pool')} / sum by (pool) (meridian_pool_connections{${chosen},state=~"used|idle"})`,
          legend: '{{pool}}',
        },
      ],
    }),
  ],
}

const leader = {
  title: 'Leader',
  panels: [
    lines({
      title: 'Role of what each process is connected to',
      description: '1 at a primary, 0 at a standby; a gap where nothing could be read.',
      unit: 'short',
      queries: [{ expr: `meridian_database_role{${chosen},role="primary"}`, legend: '{{job}} {{instance}}' }],
    }),
    lines({
      title: 'Answers 503',
      description: 'By route: waited too long, the database is away, or the replica drains.',
      unit: 'reqps',
      queries: [
        {
          expr: `sum by (route) (rate(meridian_http_request_seconds_count{${chosen},status="503"}[$__rate_interval]))`,
          legend: '{{route}}',
        },
      ],
    }),
    lines({
      title: 'Alerts about the database',
      description: 'Open ones of the product.',
      unit: 'short',
      queries: [
        {
          expr: 'max by (kind) (meridian_alerts_open{kind=~"database_timeline_changed|payments_failing|backup_old|limits_not_shared"})',
          legend: '{{kind}}',
        },
      ],
    }),
    lines({
      title: 'Redis by process',
      description: '1 where the process shares its limits.',
      unit: 'short',
      queries: [{ expr: `meridian_redis_up{${chosen}}`, legend: '{{job}} {{instance}}' }],
    }),
  ],
}

export const database: DashboardPlan = {
  name: 'database',
  title: 'database and Redis',
  description: 'Connections by pool, the role of what they lead to, and who waits.',
  jobs: 'meridian-(api|worker)',
  rows: [now, connections, leader],
}
