'use client'

import { formatFen } from '@meridian/contracts'
import type { ReactNode } from 'react'
import { CartesianGrid, ComposedChart, Legend, ResponsiveContainer, Tooltip, XAxis } from 'recharts'
import styles from './day-chart.module.css'

const tick = { fill: 'var(--ink-faint)', fontSize: 12 }

/** Whole yuan; from a million on as `¥1.2M`, for which an axis has room. */
const inYuan = (fen: number): string => {
  const yuan = Math.abs(fen / 100)
  const notation = yuan >= 1_000_000 ? 'compact' : 'standard'
  const digits = notation === 'compact' ? 1 : 0
  const text = yuan.toLocaleString('en-US', { maximumFractionDigits: digits, notation })
  return `${fen < 0 ? '−' : ''}¥${text}`
}
const monthAndDay = (day: string): string => day.slice(5)
const amount = (value: unknown): string => (typeof value === 'number' ? formatFen(value) : '')

/** How every axis of money is drawn. */
export const moneyAxis = { tickFormatter: inYuan, tick, stroke: 'var(--line-strong)', width: 64 } as const
/** Bars of one day stand on each other, what is taken off below the line of nothing. */
export const stackedBar = { stackId: 'day', maxBarSize: 40, isAnimationActive: false } as const
export const plainLine = { dot: false, isAnimationActive: false } as const

type DayChartProps = {
  rows: readonly { day: string }[]
  height: number
  /** Its axes of money, bars and lines. */
  children: ReactNode
}

/** Money by day: the days below, a legend, and the amounts of the day that is pointed at. Colours follow the theme. */
export function DayChart({ rows, height, children }: DayChartProps) {
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
        {children}
      </ComposedChart>
    </ResponsiveContainer>
  )
}
