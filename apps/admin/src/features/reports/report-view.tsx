'use client'

import { type ReportDetail, reportNumber } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { formatTime } from '../../format.ts'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { DetailColumns, DetailHead } from '../../ui/detail-page.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelatedCards } from '../related/customer-card.tsx'
import { type Plot, readPlot, useReportWords } from './read-report.ts'
import { ReportKindBadge } from './report-kind-badge.tsx'
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
function Measurements({ measurements }: { measurements: readonly Measurement[] }) {
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

/** To the second below a minute, to the tenth of a minute above. */
function useDuration({ startedAt, endedAt }: ReportDetail): string {
  const t = useTranslations('reports')
  const seconds = Math.round((endedAt.getTime() - startedAt.getTime()) / 1000)
  return seconds < 60 ? t('seconds', { seconds }) : t('minutes', { minutes: Math.round(seconds / 6) / 10 })
}

function ReportFacts({ report }: { report: ReportDetail }) {
  const t = useTranslations('reports')
  const columns = useTranslations('reports.columns')
  const facts = [
    {
      key: 'score',
      term: columns('score'),
      value: report.score === null ? null : reportNumber('score', report.score),
    },
    { key: 'started', term: columns('startedAt'), value: <DateTime time={report.startedAt} exact /> },
    { key: 'duration', term: t('duration'), value: useDuration(report) },
    {
      key: 'device',
      term: columns('device'),
      value: report.serialNumber && (
        <Identifier
          value={report.serialNumber}
          name={columns('device')}
          href={paths.device({ serialNumber: report.serialNumber })}
          whole
        />
      ),
    },
    { key: 'program', term: columns('program'), value: report.programCode },
    { key: 'received', term: t('receivedAt'), value: <DateTime time={report.createdAt} /> },
    {
      key: 'client',
      term: t('clientReportId'),
      value: <Identifier value={report.clientReportId} name={t('clientReportId')} />,
    },
  ]
  return (
    <Panel
      title={t('facts')}
      aside={
        <Link href={paths.reports({ q: report.userId })} prefetch={false}>
          {t('ofUser')}
        </Link>
      }
    >
      <DescriptionList items={facts} />
    </Panel>
  )
}

function Opened({ report }: { report: ReportDetail }) {
  const t = useTranslations('reports')
  const words = useReportWords()
  const summary = Object.entries(report.summary).map(([key, value]) => ({
    key,
    term: words.member(key),
    value: words.measure(key, value),
  }))
  return (
    <>
      <DetailHead
        back={{ href: paths.reports(), label: t('back') }}
        title={`${t(`kinds.${report.kind}`)} · ${formatTime(report.startedAt)}`}
        id={{ value: report.id, name: t('columns.report') }}
        state={<ReportKindBadge kind={report.kind} />}
      />
      <DetailColumns aside={<RelatedCards of={{ userId: report.userId }} />}>
        <Notice tone="info" icon="eye">
          {t('onRecord')}
        </Notice>
        <ReportFacts report={report} />
        <Panel title={t('summary')}>
          {summary.length > 0 ? <DescriptionList items={summary} /> : <p>{t('summaryEmpty')}</p>}
        </Panel>
        <Measurements measurements={report.measurements} />
      </DetailColumns>
    </>
  )
}

/** One report, for who may read health data. It was opened by the server, once, which is on record. */
export function ReportView({ report }: { report: ReportDetail | null }) {
  const t = useTranslations('reports')
  const router = useRouter()
  const forbidden = useForbidden('report.read')
  if (report) return <Opened report={report} />
  return (
    <Panel>
      {forbidden ? (
        <BlankSlate level="h1" icon="key" title={t('forbiddenTitle')} hint={t('forbidden', forbidden)} />
      ) : (
        <BlankSlate
          level="h1"
          role="alert"
          icon="alert"
          title={t('failed')}
          hint={t('failedHint')}
          action={<Button onClick={() => router.refresh()}>{t('retry')}</Button>}
        />
      )}
    </Panel>
  )
}
