import type { DashboardPlan } from './make-dashboard.ts'
import { chosen, figure, lines } from './make-panel.ts'
import { processes } from './processes.ts'

const rate = '$__rate_interval'
const callsBy = (by: string, more = '') =>
  `sum by (${by}) (rate(meridian_platform_calls_seconds_count{${chosen}${more}}[${rate}]))`
const probes = 'route!~"/healthz|/readyz"'
const requests = (by: string, more = '') =>
  `sum by (${by}) (rate(meridian_http_request_seconds_count{${chosen},${probes}${more}}[${rate}]))`

const now = {
  title: 'Now',
  panels: [
    figure({
      title: 'APIs that answer',
      description: 'Replicas that Prometheus reaches.',
      unit: 'short',
      bad: { below: 1 },
      queries: [{ expr: 'sum(up{job="meridian-api"})', legend: 'APIs' }],
    }),
    figure({
      title: 'Failed requests',
      description: 'Share of 5xx in five minutes.',
      unit: 'percentunit',
      bad: { from: 0.05 },
      queries: [
        {
          expr: `(sum(rate(meridian_http_request_seconds_count{${chosen},${probes},status=~"5.."}[5m])) or vector(0)) / sum(rate(meridian_http_request_seconds_count{${chosen},${probes}}[5m]))`,
          legend: '5xx',
        },
      ],
    }),
    figure({
      title: 'Failed calls to WeChat',
      description: 'Share of calls without a usable answer in ten minutes; a refusal is an answer.',
      unit: 'percentunit',
      bad: { from: 0.2 },
      queries: [
        {
          expr: '(sum(meridian:platform_failures:increase10m) or vector(0)) / sum(meridian:platform_calls:increase10m)',
          legend: 'failed',
        },
      ],
    }),
    figure({
      title: 'Clock',
      description: "The platform's clock and ours differ by so much; beyond 300 s nothing is believed.",
      unit: 's',
      bad: { from: 60 },
      queries: [{ expr: 'max(abs(meridian_clock_skew_seconds))', legend: 'difference' }],
    }),
    figure({
      title: 'Limits shared',
      description: '1 where every replica counts its limits in Redis; nothing where none is configured.',
      unit: 'short',
      bad: { below: 1 },
      queries: [{ expr: 'min(meridian_redis_up)', legend: 'shared' }],
    }),
    figure({
      title: 'Versions',
      description: 'How many different builds run; two during a rolling upgrade.',
      unit: 'short',
      queries: [{ expr: 'count(count by (version, node) (meridian_build_info))', legend: 'builds' }],
    }),
  ],
}

const weChat = {
  title: 'Calls to WeChat',
  panels: [
    lines({
      title: 'Calls by endpoint',
      description: 'Each with all its attempts.',
      unit: 'reqps',
      queries: [{ expr: callsBy('endpoint'), legend: '{{endpoint}}' }],
    }),
    lines({
      title: 'Calls by outcome',
      description:
        'timeout and unreachable are no answer, failed is 5xx, unverified and malformed cannot be believed.',
      unit: 'reqps',
      queries: [{ expr: callsBy('outcome'), legend: '{{outcome}}' }],
    }),
    lines({
      title: 'Duration, 95th percentile',
      description: 'With all attempts; bills may take longer.',
      unit: 's',
      bad: { from: 3 },
      queries: [
        {
          expr: `histogram_quantile(0.95, sum by (endpoint, le) (rate(meridian_platform_calls_seconds_bucket{${chosen}}[10m])))`,
          legend: '{{endpoint}}',
        },
      ],
    }),
    lines({
      title: 'Days until keys end',
      description:
        'Platform certificates, and the merchant certificate by the date entered on the page Keys.',
      unit: 'd',
      bad: { below: 30 },
      queries: [{ expr: 'min by (key) (meridian_key_days_left)', legend: '{{key}}' }],
    }),
  ],
}

const door = {
  title: 'Requests to the API',
  panels: [
    lines({
      title: 'Requests by status',
      description: 'Without health checks.',
      unit: 'reqps',
      queries: [{ expr: requests('status'), legend: '{{status}}' }],
    }),
    lines({
      title: 'Failed requests by route',
      description: '5xx. 503 on a paying route comes back by itself: the platform and the phone repeat.',
      unit: 'reqps',
      queries: [{ expr: requests('route, status', ',status=~"5.."'), legend: '{{route}} {{status}}' }],
    }),
    lines({
      title: 'Duration of the ten slowest routes, 95th percentile',
      description: 'Five seconds is the largest bucket.',
      unit: 's',
      bad: { from: 2 },
      queries: [
        {
          expr: `topk(10, histogram_quantile(0.95, sum by (route, le) (rate(meridian_http_request_seconds_bucket{${chosen},${probes}}[${rate}]))))`,
          legend: '{{route}}',
        },
      ],
    }),
    lines({
      title: 'Duration of paying requests',
      description: 'Notifications, purchases and syncs.',
      unit: 's',
      bad: { from: 2 },
      queries: [0.5, 0.95, 0.99].map((quantile) => ({
        expr: `histogram_quantile(${quantile}, sum by (le) (rate(meridian_http_request_seconds_bucket{${chosen},route=~"/api/v1/(payment/notify|wechat/push|subscription/.+)"}[${rate}])))`,
        legend: `${quantile * 100} %`,
      })),
    }),
  ],
}

export const platform: DashboardPlan = {
  name: 'platform',
  title: 'platform and programs',
  description: 'Calls to WeChat, requests to the API, and the processes that serve them.',
  jobs: 'meridian-(api|worker)',
  rows: [now, weChat, door, processes],
}
