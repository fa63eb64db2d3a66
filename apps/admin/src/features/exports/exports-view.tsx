'use client'

import { EXACT_COUNT_LIMIT, type ExportRow, type ExportState, isExport } from '@meridian/contracts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { askForFile } from '../../api-client/ask-for-file.ts'
import { formatCount } from '../../format.ts'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import { saveFile } from '../../ui/copy-and-save.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { useToday } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import layout from '../../ui/layout.module.css'
import { PageHeader } from '../../ui/page-header.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'

const looks: Record<ExportState, Look> = {
  waiting: { tone: 'wait' },
  running: { tone: 'info' },
  done: { tone: 'ok' },
  failed: { tone: 'bad' },
  cancelled: { tone: 'quiet' },
}

const isOpen = ({ state }: ExportRow): boolean => state === 'waiting' || state === 'running'

const cancelExport = defineAct(() => useTranslations('exports'), {
  icon: 'close',
  words: (t) => ({ label: t('cancel'), hint: t('cancelHint') }),
  act: (t) => ({
    call: (api) => api.export.cancel.mutate,
    invalidates: ['export'],
    done: () => t('cancelled'),
  }),
})

function Download({ file: { id, list, format } }: { file: ExportRow }) {
  const t = useTranslations('exports')
  const announce = useAnnounce()
  const failureOf = useFailure()
  const today = useToday()
  const take = useMutation({
    mutationFn: async () => {
      const answer = await askForFile(`/console/exports/kept/${id}`, {})
      saveFile(await answer.blob(), `${list}-${today}.${format}`)
    },
    onSuccess: () => announce(t('downloaded')),
    onError: (error) => announce(t('downloadFailed', { reason: failureOf(error)?.title ?? '' })),
  })
  return (
    <ActionButton
      icon={<Icon name="download" />}
      busy={take.isPending}
      hint={t('downloadHint')}
      disabledReason={null}
      onPress={() => take.mutate()}
    >
      {t('download')}
    </ActionButton>
  )
}

function Acts({ file }: { file: ExportRow }) {
  return (
    <span className={layout['acts']}>
      {file.state === 'done' && <Download file={file} />}
      {isOpen(file) && <DirectAct of={cancelExport} input={{ id: file.id }} />}
    </span>
  )
}

/** How many rows are written, of about how many. */
function useProgressWords(): (file: ExportRow) => string {
  const t = useTranslations('exports')
  return (file) => {
    const rows = formatCount(file.rows)
    if (!isOpen(file)) return file.whole === false && file.state === 'done' ? t('first', { rows }) : rows
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
  const query = useQuery({ ...useTRPC().export.list.queryOptions(), refetchInterval: WATCH_MS })
  const columns: Column<ExportRow>[] = [
    column.cell(
      'list',
      ({ list, format }) => `${isExport(list) ? t(`lists.${list}`) : list} · ${format.toUpperCase()}`,
    ),
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
    </>
  )
}
