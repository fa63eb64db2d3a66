'use client'

import { type ExportScheduleRow, isScheduledKind, type ScheduledRun } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { useForbidden } from '../../session/operator-context.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import layout from '../../ui/layout.module.css'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import { DownloadFile } from './download-file.tsx'

const CreateSchedule = dynamic(
  () => import('./schedule-dialog.tsx').then((module) => module.CreateSchedule),
  {
    ssr: false,
  },
)

const useWords = () => useTranslations('exports.schedules')
const permission = 'export.schedule'
const forbidden = (t: ReturnType<typeof useWords>) => (who: { role: string; allowed: string }) =>
  t('forbidden', who)

const createSchedule = defineDialogAct(useWords, {
  icon: 'plus',
  permission,
  words: (t) => ({ label: t('create'), hint: t('createHint'), forbidden: forbidden(t) }),
  dialog: (_, close) => <CreateSchedule onClose={close} />,
})

const pauseSchedule = defineAct(useWords, {
  icon: 'clock',
  permission,
  words: (t) => ({ label: t('pause'), hint: t('pauseHint'), forbidden: forbidden(t) }),
  act: (t) => ({
    call: (api) => api.exportSchedule.pause.mutate,
    invalidates: ['exportSchedule'],
    done: () => t('pausedNow'),
  }),
})

const resumeSchedule = defineAct(useWords, {
  icon: 'sync',
  permission,
  words: (t) => ({ label: t('resume'), hint: t('resumeHint'), forbidden: forbidden(t) }),
  act: (t) => ({
    call: (api) => api.exportSchedule.resume.mutate,
    invalidates: ['exportSchedule'],
    done: () => t('resumed'),
  }),
})

const removeSchedule = defineAct(useWords, {
  icon: 'close',
  permission,
  words: (t) => ({ label: t('remove'), hint: t('removeHint'), forbidden: forbidden(t) }),
  act: (t) => ({
    call: (api) => api.exportSchedule.remove.mutate,
    invalidates: ['exportSchedule'],
    done: () => t('removed'),
  }),
  confirm: (t) => ({
    title: t('removeTitle'),
    lead: t('removeLead'),
    submitLabel: t('remove'),
    danger: true,
  }),
})

/** How a schedule stands, as its badge. */
function stateOf({
  ownerGone,
  paused,
  failingSince,
}: ExportScheduleRow): 'ownerGone' | 'paused' | 'failing' | 'active' {
  if (ownerGone) return 'ownerGone'
  if (paused) return 'paused'
  return failingSince ? 'failing' : 'active'
}
const looks: Record<ReturnType<typeof stateOf>, Look> = {
  ownerGone: { tone: 'bad' },
  paused: { tone: 'quiet' },
  failing: { tone: 'bad' },
  active: { tone: 'ok' },
}

function LastRun({
  schedule: { target, format, kind },
  run,
}: {
  schedule: ExportScheduleRow
  run: ScheduledRun
}) {
  const t = useWords()
  const isSent = target === 's3' && run.state === 'done'
  const word = isSent && run.delivered ? 'sent' : isSent ? 'notSent' : (run.state ?? 'gone')
  return (
    <span className={layout['lines']}>
      <span>{t('lastDay', { day: run.day, state: t(`runs.${word}`) })}</span>
      {run.error && (
        <span className={layout['note']}>
          {t('lastError', { error: run.error, attempts: String(run.attempts) })}
        </span>
      )}
      {run.exportId && run.state === 'done' && (
        <DownloadFile
          quiet
          file={{ id: run.exportId, list: kind, format }}
          name={`${kind}-${run.day}.${format}`}
        />
      )}
    </span>
  )
}

function Acts({ schedule }: { schedule: ExportScheduleRow }) {
  const input = { id: schedule.id }
  return (
    <span className={layout['acts']}>
      {schedule.paused || schedule.ownerGone ? (
        <DirectAct of={resumeSchedule} quiet input={input} />
      ) : (
        <DirectAct of={pauseSchedule} quiet input={input} />
      )}
      <DirectAct of={removeSchedule} quiet input={input} />
    </span>
  )
}

function useColumns(): Column<ExportScheduleRow>[] {
  const t = useWords()
  const column = columnsOf(useTranslations('exports.schedules.columns'))
  const nameOf = ({ kind, format }: ExportScheduleRow) =>
    `${isScheduledKind(kind) ? t(`kinds.${kind}`) : kind} · ${format.toUpperCase()}`
  return [
    column.text('what', nameOf),
    column.cell('state', (schedule) => (
      <Badge {...looks[stateOf(schedule)]}>{t(`states.${stateOf(schedule)}`)}</Badge>
    )),
    column.cell('next', ({ nextAt, paused }) => (paused ? <EmptyValue /> : <DateTime time={nextAt} />)),
    column.text('place', ({ place, keepDays }) => place ?? t('keptFor', { days: String(keepDays) })),
    column.text('owner', ({ email }) => email),
    column.cell('last', (schedule) =>
      schedule.last ? <LastRun schedule={schedule} run={schedule.last} /> : <EmptyValue />,
    ),
    column.cell('acts', (schedule) => <Acts schedule={schedule} />),
  ]
}

const WATCH_MS = 10_000

function Schedules() {
  const t = useWords()
  const columns = useColumns()
  const query = useQuery({ ...useTRPC().exportSchedule.list.queryOptions(), refetchInterval: WATCH_MS })
  return (
    <Loaded query={query}>
      {({ items }) => (
        <RecordsPanel
          title={t('title')}
          aside={<DialogAct of={createSchedule} />}
          rows={items}
          rowKey={({ id }) => id}
          empty={t('empty')}
          columns={columns}
        />
      )}
    </Loaded>
  )
}

/** Files that are written every day by themselves; who may not look after them sees why. */
export function ExportSchedules() {
  const t = useWords()
  const denied = useForbidden(permission)
  if (!denied) return <Schedules />
  return (
    <RecordsPanel
      title={t('title')}
      aside={<DialogAct of={createSchedule} />}
      rows={[]}
      rowKey={String}
      empty={t('forbidden', denied)}
      columns={[]}
    />
  )
}
