import type { DashboardPlan } from './make-dashboard.ts'
import { chosen, figure, lines } from './make-panel.ts'
import { processes } from './processes.ts'

const rate = '$__rate_interval'
const requests = (by: string, more = '') =>
  `sum by (${by}) (rate(meridian_console_request_seconds_count{${chosen}${more}}[${rate}]))`
const duration = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (le) (rate(meridian_console_request_seconds_bucket{${chosen}}[${rate}])))`
/** What the console asks the API: its procedures and its files. */
const behind = 'job="meridian-api",route=~"/trpc/.+|/console/.+"'

const now = {
  title: 'Now',
  panels: [
    figure({
      title: 'Consoles that answer',
      description: 'Replicas that Prometheus reaches.',
      unit: 'short',
      bad: { below: 1 },
      queries: [{ expr: 'sum(up{job="meridian-console"})', legend: 'consoles' }],
    }),
    figure({
      title: 'Failed requests',
      description: 'Share of 5xx in five minutes.',
      unit: 'percentunit',
      bad: { from: 0.05 },
      queries: [
        {
          expr: `(sum(rate(meridian_console_request_seconds_count{${chosen},status=~"5.."}[5m])) or vector(0)) / sum(rate(meridian_console_request_seconds_count{${chosen}}[5m]))`,
          legend: '5xx',
        },
      ],
    }),
    figure({
      title: 'Duration, 95th percentile',
      description: 'Of whole answers.',
      unit: 's',
      bad: { from: 2 },
      queries: [{ expr: duration(0.95), legend: '95 %' }],
    }),
    figure({
      title: 'Refused for their number',
      description: 'Answers 429 in an hour: more pages at once than one address may have.',
      unit: 'short',
      queries: [
        {
          expr: `round(sum(increase(meridian_console_request_seconds_count{${chosen},status="429"}[1h])) or vector(0))`,
          legend: '429',
        },
      ],
    }),
    figure({
      title: 'Waiting for the database',
      description: 'Requests of the console that wait for a connection in the API.',
      unit: 'short',
      bad: { from: 1 },
      queries: [
        { expr: 'sum(meridian_pool_connections{pool="console",state="waiting"})', legend: 'waiting' },
      ],
    }),
  ],
}

const pages = {
  title: 'Pages',
  panels: [
    lines({
      title: 'Requests by status',
      description: 'To the console program.',
      unit: 'reqps',
      queries: [{ expr: requests('status'), legend: '{{status}}' }],
    }),
    lines({
      title: 'Duration',
      description: 'Of whole answers, pages and their parts alike.',
      unit: 's',
      bad: { from: 2 },
      queries: [0.5, 0.95, 0.99].map((quantile) => ({
        expr: duration(quantile),
        legend: `${quantile * 100} %`,
      })),
    }),
    lines({
      title: 'Requests by method',
      description: 'other is a method that does not exist.',
      unit: 'reqps',
      queries: [{ expr: requests('method'), legend: '{{method}}' }],
    }),
    lines({
      title: 'Failed requests by replica',
      description: '5xx.',
      unit: 'reqps',
      queries: [{ expr: requests('instance, status', ',status=~"5.."'), legend: '{{instance}} {{status}}' }],
    }),
  ],
}

const api = {
  title: 'What the API answers the console',
  panels: [
    lines({
      title: 'Requests by status',
      description: 'Procedures and files, in all APIs.',
      unit: 'reqps',
      queries: [
        {
          expr: `sum by (status) (rate(meridian_http_request_seconds_count{${behind}}[${rate}]))`,
          legend: '{{status}}',
        },
      ],
    }),
    lines({
      title: 'Duration, 95th percentile',
      description: 'A list has two seconds of its own.',
      unit: 's',
      bad: { from: 2 },
      queries: [
        {
          expr: `histogram_quantile(0.95, sum by (route, le) (rate(meridian_http_request_seconds_bucket{${behind}}[${rate}])))`,
          legend: '{{route}}',
        },
      ],
    }),
  ],
}

export const consoleDashboard: DashboardPlan = {
  name: 'console',
  title: 'console',
  description: 'Pages of the console, what the API answers it, and its processes.',
  jobs: 'meridian-console',
  rows: [now, pages, api, processes],
}
