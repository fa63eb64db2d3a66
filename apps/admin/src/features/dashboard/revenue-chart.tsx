'use client'

import { formatFen, type RevenueDay } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Legend,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import styles from './dashboard.module.css'

const inYuan = (fen: number): string => {
  const yuan = Math.abs(fen / 100).toLocaleString('en-US', { maximumFractionDigits: 0 })
  return `${fen < 0 ? '−' : ''}¥${yuan}`
}
const monthAndDay = (day: string): string => day.slice(5)
const amount = (value: unknown): string => (typeof value === 'number' ? formatFen(value) : '')

const stacked = { stackId: 'day', maxBarSize: 40, isAnimationActive: false } as const
const line = { dot: false, isAnimationActive: false } as const
const ghost = {
  ...line,
  stroke: 'var(--ink-faint)',
  strokeWidth: 1.5,
  strokeDasharray: '4 4',
  strokeOpacity: 0.75,
} as const

type RevenueChartProps = {
  days: readonly RevenueDay[]
  /** The days of the period before, at the same index as those of this period. */
  daysBefore: readonly RevenueDay[]
  height: number
}

/**
 * Bars of what came in and went back, a line of what stays, and behind it the pale line of the period before; colours
 * follow the theme.
 */
export function RevenueChart({ days, daysBefore, height }: RevenueChartProps) {
  const t = useTranslations('dashboard.money')
  const rows = days.map(({ day, grossFen, refundFen, netFen }, at) => ({
    ...{ day, grossFen, netFen },
    refundFen: -refundFen,
    beforeFen: daysBefore[at]?.netFen,
  }))
  const tick = { fill: 'var(--ink-faint)', fontSize: 12 }
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart data={rows} stackOffset="sign" accessibilityLayer={false}>
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey="day"
          tickFormatter={monthAndDay}
          tick={tick}
          stroke="var(--line-strong)"
          minTickGap={24}
        />
        <YAxis tickFormatter={inYuan} tick={tick} stroke="var(--line-strong)" width={64} />
        <Tooltip
          formatter={amount}
          cursor={{ fill: 'var(--hover)' }}
          wrapperClassName={styles['tooltip'] ?? ''}
          contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 8 }}
          labelStyle={{ color: 'var(--ink)' }}
          itemStyle={{ color: 'var(--ink-soft)' }}
        />
        <Legend
          wrapperStyle={{ fontSize: 13 }}
          formatter={(name) => <span className={styles['legend']}>{name}</span>}
        />
        <Bar {...stacked} dataKey="grossFen" name={t('grossFen')} fill="var(--accent)" />
        <Bar {...stacked} dataKey="refundFen" name={t('refundFen')} fill="var(--back-ink)" />
        <Line {...ghost} dataKey="beforeFen" name={t('beforeFen')} />
        <Line {...line} dataKey="netFen" name={t('netFen')} stroke="var(--info-ink)" strokeWidth={2} />
      </ComposedChart>
    </ResponsiveContainer>
  )
}
