import type { DashboardPlan } from './make-dashboard.ts'
import { chosen, figure, lines } from './make-panel.ts'

const perHour = (metric: string, by: string) =>
  `sum by (${by}) (rate(${metric}{${chosen}}[$__rate_interval])) * 3600`
const share = (move: string, ofMove: string) =>
  `sum(increase(meridian_order_moves_total{${chosen},move="${move}"}[1h])) / sum(increase(meridian_order_moves_total{${chosen},move="${ofMove}"}[1h]))`
const delay = (quantile: number) =>
  `histogram_quantile(${quantile}, sum by (channel, le) (rate(meridian_payment_delay_seconds_bucket{${chosen}}[30m])))`

const now = {
  title: 'Now',
  panels: [
    figure({
      title: 'Paid in the last hour',
      description: 'Orders that became paid, by whatever channel.',
      unit: 'short',
      queries: [
        {
          expr: `round(sum(increase(meridian_order_moves_total{${chosen},move="pay"}[1h])))`,
          legend: 'paid',
        },
      ],
    }),
    figure({
      title: 'Critical alerts',
      description: 'Open alerts of the product; the console shows them.',
      unit: 'short',
      bad: { from: 1 },
      queries: [{ expr: 'sum(max by (kind) (meridian_alerts_open{severity="critical"}))', legend: 'open' }],
    }),
    figure({
      title: 'Orders on hold',
      description: 'They wait for a decision in the console.',
      unit: 'short',
      bad: { from: 1 },
      queries: [{ expr: 'max(meridian_orders_parked)', legend: 'on hold' }],
    }),
    figure({
      title: 'Money held back',
      description: 'Paid orders whose shipping information WeChat lacks.',
      unit: 'currencyCNY',
      queries: [{ expr: 'max(meridian_frozen_fen) / 100', legend: 'held back' }],
    }),
    figure({
      title: 'Broken rules',
      description: 'Rows that break a rule of money or days, by the last data check.',
      unit: 'short',
      bad: { from: 1 },
      queries: [{ expr: 'sum(max by (invariant) (meridian_invariant_violations))', legend: 'rows' }],
    }),
    figure({
      title: 'Next key ends',
      description: 'Days until the first of all keys ends.',
      unit: 'd',
      bad: { below: 30 },
      queries: [{ expr: 'min(meridian_key_days_left)', legend: 'days' }],
    }),
  ],
}

const sales = {
  title: 'Orders',
  panels: [
    lines({
      title: 'Moves of orders',
      description: 'Per hour: made, prepared (the payment sheet opens), paid, closed, refunded.',
      unit: 'short',
      queries: [{ expr: perHour('meridian_order_moves_total', 'move'), legend: '{{move}} per hour' }],
    }),
    lines({
      title: 'From order to payment',
      description: 'Of the last hour: how many orders are prepared, and how many of these are paid.',
      unit: 'percentunit',
      queries: [
        { expr: share('prepare', 'create'), legend: 'prepared of made' },
        { expr: share('pay', 'prepare'), legend: 'paid of prepared' },
      ],
    }),
    lines({
      title: 'Payments by channel',
      description: 'Per hour.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (channel) (rate(meridian_order_moves_total{${chosen},move="pay"}[$__rate_interval])) * 3600`,
          legend: '{{channel}} per hour',
        },
      ],
    }),
    lines({
      title: 'Refunded orders by channel',
      description: 'Per hour; orders that are refunded whole.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (channel) (rate(meridian_order_moves_total{${chosen},move="refund"}[$__rate_interval])) * 3600`,
          legend: '{{channel}} per hour',
        },
      ],
    }),
  ],
}

const becomingKnown = {
  title: 'How payments become known',
  panels: [
    lines({
      title: 'From payment to days',
      description: 'Seconds from the success time of the platform to the grant.',
      unit: 's',
      bad: { from: 30 },
      queries: [
        { expr: delay(0.5), legend: '{{channel}} median' },
        { expr: delay(0.95), legend: '{{channel}} 95th percentile' },
      ],
    }),
    lines({
      title: 'Confirmed by',
      description: 'Per hour. Mostly by notification; what sweep or bill finds was missing.',
      unit: 'short',
      queries: [
        {
          expr: perHour('meridian_payment_delay_seconds_count', 'confirmed_by'),
          legend: '{{confirmed_by}} per hour',
        },
      ],
    }),
    lines({
      title: 'Answers to payment notifications',
      description: 'Per hour, by status. 204 is accepted, 401 is a probe or a stranger, 5xx is our fault.',
      unit: 'short',
      queries: [
        { expr: perHour('meridian_payment_notifications_total', 'status'), legend: '{{status}} per hour' },
      ],
    }),
    lines({
      title: 'Deliveries that were not accepted',
      description: 'Per hour, by reason; probe is the platform testing us.',
      unit: 'short',
      queries: [
        { expr: perHour('meridian_notifications_rejected_total', 'reason'), legend: '{{reason}} per hour' },
      ],
    }),
    lines({
      title: 'Message pushes',
      description: 'Per hour, by what they are about; coins and risk want somebody to look.',
      unit: 'short',
      queries: [{ expr: perHour('meridian_pushes_total', 'kind'), legend: '{{kind}} per hour' }],
    }),
    lines({
      title: 'Open alerts',
      description: 'Of the product, by kind; each kind has a page in docs/runbook.',
      unit: 'short',
      queries: [
        { expr: 'max by (kind, severity) (meridian_alerts_open) > 0', legend: '{{kind}} {{severity}}' },
      ],
    }),
  ],
}

export const money: DashboardPlan = {
  name: 'money',
  title: 'money',
  description: 'Orders, payments, what the platform tells us, and what waits for a person.',
  jobs: 'meridian-(api|worker)',
  rows: [now, sales, becomingKnown],
}
