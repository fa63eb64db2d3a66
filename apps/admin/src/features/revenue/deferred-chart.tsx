'use client'

import type { DeferredDay } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Bar, Line, YAxis } from 'recharts'
import { DayChart, moneyAxis, plainLine, stackedBar } from '../../ui/day-chart.tsx'

const bar = { ...stackedBar, yAxisId: 'moves' } as const

/** What came and went as bars, by the axis on the left; what is deferred at the end of each day as a line, by that on the right. */
export function DeferredChart({ days, height }: { days: readonly DeferredDay[]; height: number }) {
  const t = useTranslations('revenue.deferred')
  const rows = days.map(({ day, newFen, refundedFen, earnedFen, closingFen }) => ({
    ...{ day, newFen, closingFen },
    refundedFen: 0 - refundedFen,
    earnedFen: 0 - earnedFen,
  }))
  return (
    <DayChart rows={rows} height={height}>
      <YAxis yAxisId="moves" {...moneyAxis} />
      <YAxis yAxisId="closing" orientation="right" {...moneyAxis} />
      <Bar {...bar} dataKey="newFen" name={t('added')} fill="var(--accent)" />
      <Bar {...bar} dataKey="earnedFen" name={t('earned')} fill="var(--info-ink)" fillOpacity={0.55} />
      <Bar {...bar} dataKey="refundedFen" name={t('refunded')} fill="var(--back-ink)" />
      <Line
        {...plainLine}
        yAxisId="closing"
        dataKey="closingFen"
        name={t('closing')}
        stroke="var(--ink-soft)"
        strokeWidth={2}
      />
    </DayChart>
  )
}
