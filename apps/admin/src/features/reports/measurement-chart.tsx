'use client'

import { reportNumber } from '@meridian/contracts'
import { CartesianGrid, Legend, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { type Plot, type Point, useReportWords } from './read-report.ts'
import styles from './reports.module.css'

const colours = ['--accent', '--back-ink', '--wait-ink', '--info-ink', '--bad-ink', '--ok-ink']
const dashes = ['0', '6 3', '2 3', '8 3 2 3', '4 4', '1 4']

/** The measurements as curves; told apart by dash as well as by colour. Loaded apart from the page: drawing is heavy. */
export function MeasurementChart({ plot: { axis, series, points } }: { plot: Plot }) {
  const words = useReportWords()
  const at = (x: number) => (axis === null ? String(x) : words.measure(axis, x))
  return (
    <div className={styles['chart']} aria-hidden="true">
      <ResponsiveContainer width="100%" height="100%">
        <LineChart
          data={points}
          margin={{ top: 8, right: 16, bottom: 4, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey="x"
            type="number"
            domain={['dataMin', 'dataMax']}
            stroke="var(--ink-faint)"
            fontSize={12}
            tickFormatter={at}
          />
          <YAxis
            stroke="var(--ink-faint)"
            fontSize={12}
            width={48}
            tickFormatter={(value: number) => reportNumber('', value)}
          />
          <Tooltip
            contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 8 }}
            isAnimationActive={false}
            labelFormatter={(x) => `${axis === null ? '#' : words.member(axis)} ${at(Number(x))}`}
            formatter={(value) => reportNumber('', Number(value))}
          />
          <Legend />
          {series.map((one, place) => (
            <Line
              key={one.id}
              dataKey={(point: Point) => point[one.id]}
              name={words.series(one)}
              stroke={`var(${colours[place % colours.length] ?? '--accent'})`}
              strokeDasharray={dashes[place % dashes.length] ?? '0'}
              strokeWidth={1.6}
              dot={points.length <= 40}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  )
}
