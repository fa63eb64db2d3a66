'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Plot, readPlot, useReportWords } from './read-report.ts'
import styles from './reports.module.css'

const MeasurementChart = dynamic(
  () => import('./measurement-chart.tsx').then((module) => module.MeasurementChart),
  { ssr: false, loading: () => <Skeleton height={320} /> },
)

const ROWS_AT_ONCE = 100

type Measurement = Record<string, unknown>

function MeasurementTable({ measurements }: { measurements: readonly Measurement[] }) {
  const t = useTranslations('reports')
  const words = useReportWords()
  const [count, setCount] = useState(ROWS_AT_ONCE)
  const keys = [...new Set(measurements.flatMap((row) => Object.keys(row)))].slice(0, 12)
  const rows = measurements.slice(0, count).map((row, place) => ({ row, place }))
  return (
    <>
      <PlainTable
        caption={t('measurements')}
        rows={rows}
        rowKey={({ place }) => String(place)}
        empty={t('measurementsEmpty')}
        columns={[
          { key: 'place', title: '#', cell: ({ place }) => place + 1 },
          ...keys.map((key) => ({
            key,
            title: words.column(key),
            cell: ({ row }: { row: Measurement }) => words.value(key, row[key]),
          })),
        ]}
      />
      {count < measurements.length && (
        <Button onClick={() => setCount(count + ROWS_AT_ONCE)}>
          {t('moreRows', { rest: measurements.length - count })}
        </Button>
      )}
    </>
  )
}

/** In words, for who does not see the curves. */
function Extent({ plot }: { plot: Plot }) {
  const t = useTranslations('reports')
  const words = useReportWords()
  const extents = plot.series.map((one) => {
    const values = plot.points.flatMap((point) => point[one.id] ?? [])
    return t('extent', {
      name: words.series(one),
      min: Math.min(...values),
      max: Math.max(...values),
      count: values.length,
    })
  })
  return (
    <ul className={styles['extent']}>
      {extents.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** What was measured: as curves where it can be drawn, and always as a table. */
export function Measurements({ measurements }: { measurements: readonly Measurement[] }) {
  const t = useTranslations('reports')
  const plot = useMemo(() => readPlot(measurements), [measurements])
  const [asTable, setAsTable] = useState(false)
  const table = plot === null || asTable
  return (
    <Panel
      title={t('measurements')}
      aside={
        plot && (
          <Button size="small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {t('asTable')}
          </Button>
        )
      }
    >
      {table ? (
        <MeasurementTable measurements={measurements} />
      ) : (
        <>
          <MeasurementChart plot={plot} />
          <Extent plot={plot} />
        </>
      )}
    </Panel>
  )
}
