'use client'

import type { RevenueDay } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Bar, Line, YAxis } from 'recharts'
import { DayChart, moneyAxis, plainLine, stackedBar } from '../../ui/day-chart.tsx'

const ghost = {
  ...plainLine,
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
  return (
    <DayChart rows={rows} height={height}>
      <YAxis {...moneyAxis} />
      <Bar {...stackedBar} dataKey="grossFen" name={t('grossFen')} fill="var(--accent)" />
      <Bar {...stackedBar} dataKey="refundFen" name={t('refundFen')} fill="var(--back-ink)" />
      <Line {...ghost} dataKey="beforeFen" name={t('beforeFen')} />
      <Line {...plainLine} dataKey="netFen" name={t('netFen')} stroke="var(--info-ink)" strokeWidth={2} />
    </DayChart>
  )
}
