'use client'

import { type DeferredDay, formatFen } from '@meridian/contracts'
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
import styles from './revenue.module.css'

const inYuan = (fen: number): string => {
  const yuan = Math.abs(fen / 100).toLocaleString('en-US', { maximumFractionDigits: 0, notation: 'compact' })
  return `${fen < 0 ? '−' : ''}¥${yuan}`
}
const amount = (value: unknown): string => (typeof value === 'number' ? formatFen(value) : '')

const stacked = { stackId: 'day', maxBarSize: 28, isAnimationActive: false, yAxisId: 'moves' } as const

/** What came and went as bars, by the axis on the left; what is deferred at the end of each day as a line, by that on the right. */
export function DeferredChart({ days, height }: { days: readonly DeferredDay[]; height: number }) {
  const t = useTranslations('revenue.deferred')
  const rows = days.map(({ day, newFen, refundedFen, earnedFen, closingFen }) => ({
    ...{ day, newFen, closingFen },
    refundedFen: 0 - refundedFen,
    earnedFen: 0 - earnedFen,
  }))
  const tick = { fill: 'var(--ink-faint)', fontSize: 12 }
  const axis = { tickFormatter: inYuan, tick, stroke: 'var(--line-strong)', width: 56 } as const
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart data={rows} stackOffset="sign" accessibilityLayer={false}>
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey="day"
          tickFormatter={(day: string) => day.slice(5)}
          tick={tick}
          stroke="var(--line-strong)"
          minTickGap={24}
        />
        <YAxis yAxisId="moves" {...axis} />
        <YAxis yAxisId="closing" orientation="right" {...axis} />
        <Tooltip
          formatter={amount}
          cursor={{ fill: 'var(--hover)' }}
          contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 8 }}
          labelStyle={{ color: 'var(--ink)' }}
          itemStyle={{ color: 'var(--ink-soft)' }}
        />
        <Legend
          wrapperStyle={{ fontSize: 13 }}
          formatter={(name) => <span className={styles['legend']}>{name}</span>}
        />
        <Bar {...stacked} dataKey="newFen" name={t('added')} fill="var(--accent)" />
        <Bar {...stacked} dataKey="earnedFen" name={t('earned')} fill="var(--info-ink)" fillOpacity={0.55} />
        <Bar {...stacked} dataKey="refundedFen" name={t('refunded')} fill="var(--back-ink)" />
        <Line
          yAxisId="closing"
          dataKey="closingFen"
          name={t('closing')}
          stroke="var(--ink-soft)"
          strokeWidth={2}
          dot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  )
}
