'use client'

import { EXACT_COUNT_LIMIT, type ExportRow, type ExportState } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import layout from '../../ui/layout.module.css'
import { PageHeader } from '../../ui/page-header.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { isUnderWay } from '../shell/use-waiting.ts'
import { DownloadFile, useFileName } from './download-file.tsx'
import { ExportSchedules } from './export-schedules.tsx'

const looks: Record<ExportState, Look> = {
  waiting: { tone: 'wait' },
  running: { tone: 'info' },
  done: { tone: 'ok' },
  failed: { tone: 'bad' },
  cancelled: { tone: 'quiet' },
}

const cancelExport = defineAct(() => useTranslations('exports'), {
  icon: 'close',
  words: (t) => ({ label: t('cancel'), hint: t('cancelHint') }),
  act: (t) => ({
    call: (api) => api.export.cancel.mutate,
    invalidates: ['export'],
    done: () => t('cancelled'),
  }),
})

function Acts({ file }: { file: ExportRow }) {
  return (
    <span className={layout['acts']}>
      {file.state === 'done' && <DownloadFile file={file} />}
      {isUnderWay(file) && <DirectAct of={cancelExport} input={{ id: file.id }} />}
    </span>
  )
}

/** How many rows are written, of about how many. */
function useProgressWords(): (file: ExportRow) => string {
  const t = useTranslations('exports')
  return (file) => {
    const rows = formatCount(file.rows)
    if (!isUnderWay(file)) return file.whole === false && file.state === 'done' ? t('first', { rows }) : rows
    // How long a list of a schedule is was not asked.
    if (file.expected === 0) return rows
    const most = formatCount(file.expected)
    return t('ofAbout', { rows, most: file.expected >= EXACT_COUNT_LIMIT ? `${most}+` : most })
  }
}

const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
const WATCH_MS = 2_000

/** Files that workers write or have written: how far they are, and the way to take or to cancel them. */
export function ExportsView() {
  const t = useTranslations('exports')
  const column = columnsOf(t)
  const progressOf = useProgressWords()
  const nameOf = useFileName()
  const query = useQuery({ ...useTRPC().export.list.queryOptions(), refetchInterval: WATCH_MS })
  const columns: Column<ExportRow>[] = [
    column.cell('list', nameOf),
    column.cell('state', ({ state }) => <Badge {...looks[state]}>{t(`states.${state}`)}</Badge>),
    column.count('rows', progressOf),
    column.count('size', ({ bytes }) => (bytes > 0 ? inMegabytes(bytes) : null)),
    column.text('askedBy', ({ email }) => email),
    column.time('createdAt', ({ createdAt }) => createdAt),
    column.time('keptUntil', ({ keptUntil }) => keptUntil),
    column.cell('acts', (file) => <Acts file={file} />),
  ]
  return (
    <>
      <PageHeader title={t('title')} aside={t('lead')} />
      <div className={layout['rows']}>
        <Loaded query={query}>
          {({ items }) => (
            <RecordsPanel
              title={t('files')}
              rows={items}
              rowKey={({ id }) => id}
              empty={t('empty')}
              columns={columns}
            />
          )}
        </Loaded>
        <ExportSchedules />
      </div>
    </>
  )
}
