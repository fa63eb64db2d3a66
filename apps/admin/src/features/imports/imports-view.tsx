'use client'

import { formatFen, type ImportRow, type ImportState } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded, Permitted } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { Badge, type Look } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { BackLink } from '../../ui/detail-page.tsx'
import layout from '../../ui/layout.module.css'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { isImportUnderWay } from './import-outcome.tsx'
import { ImportSteps } from './import-steps.tsx'

const WATCH_MS = 2_000

const looks: Record<ImportState, Look> = {
  waiting: { tone: 'wait' },
  checking: { tone: 'info' },
  writing: { tone: 'info' },
  checked: { tone: 'quiet' },
  faulty: { tone: 'bad' },
  done: { tone: 'ok' },
  undone: { tone: 'back' },
}

const useWords = () => useTranslations('imports')

const undoImport = defineAct(useWords, {
  icon: 'refund',
  permission: 'import.manage',
  words: (t) => ({ label: t('undo'), hint: t('undoHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.import.undo.mutate,
    invalidates: ['import'],
    done: () => t('undoAsked'),
  }),
  confirm: (t) => ({
    title: t('undoTitle'),
    lead: t('undoLead'),
    submitLabel: t('undo'),
    danger: true,
  }),
})

/** What it is just now; why it could not be undone, where that was tried. */
function State({ row: { state, isUndoAsked, obstacles } }: { row: ImportRow }) {
  const t = useWords()
  const [first] = obstacles
  return (
    <>
      <Badge {...(isUndoAsked ? { tone: 'info' } : looks[state])}>
        {isUndoAsked ? t('undoing') : t(`states.${state}`)}
      </Badge>
      {first && (
        <p>{t('obstacles', { count: obstacles.length, line: first.line, why: t(`why.${first.why}`) })}</p>
      )}
    </>
  )
}

function Acts({ row, show }: { row: ImportRow; show: (id: string) => void }) {
  const t = useWords()
  const canUndo = (row.state === 'done' || row.state === 'writing') && !row.isUndoAsked
  return (
    <span className={layout['acts']}>
      <Button onClick={() => show(row.id)}>{t('details')}</Button>
      {canUndo && <DirectAct of={undoImport} input={{ id: row.id }} quiet />}
    </span>
  )
}

function useImportColumns(show: (id: string) => void): Column<ImportRow>[] {
  const t = useWords()
  const column = columnsOf(useTranslations('imports.columns'))
  return [
    column.cell('kind', ({ kind, dryRun }) =>
      dryRun ? t('checkOf', { kind: t(`kinds.${kind}`) }) : t(`kinds.${kind}`),
    ),
    column.cell('state', (row) => <State row={row} />),
    column.text('file', ({ fileName }) => fileName),
    column.count('lines', ({ lines, written, state }) =>
      state === 'writing'
        ? t('of', { done: formatCount(written), all: formatCount(lines) })
        : formatCount(lines),
    ),
    column.count('users', ({ users }) => formatCount(users)),
    column.count('days', ({ days }) => formatCount(days)),
    column.count('fen', ({ fen }) => formatFen(fen)),
    column.text('broughtBy', ({ broughtBy }) => broughtBy ?? t('byCommand')),
    column.time('createdAt', ({ createdAt }) => createdAt),
    column.cell('acts', (row) => <Acts row={row} show={show} />),
  ]
}

function Imports() {
  const t = useWords()
  const [followed, follow] = useState<string | null>(null)
  const columns = useImportColumns(follow)
  const query = useQuery({
    ...useTRPC().import.list.queryOptions(),
    refetchInterval: ({ state: { data } }) => (data?.items.some(isImportUnderWay) ? WATCH_MS : false),
  })
  return (
    <div className={layout['rows']}>
      <Panel title={t('new')}>
        <ImportSteps followed={followed} follow={follow} />
      </Panel>
      <Loaded query={query}>
        {({ items }) => (
          <RecordsPanel
            title={t('list')}
            rows={items}
            rowKey={({ id }) => id}
            empty={t('empty')}
            columns={columns}
          />
        )}
      </Loaded>
    </div>
  )
}

/** People, orders and devices of another system: files to import, and what became of them. */
export function ImportsView() {
  const t = useWords()
  return (
    <>
      <PageHeader
        before={<BackLink href={paths.developers()}>{t('back')}</BackLink>}
        title={t('title')}
        aside={t('lead')}
      />
      <Permitted
        to="import.manage"
        icon="upload"
        title={t('forbiddenTitle')}
        why={(who) => t('forbidden', who)}
      >
        <Imports />
      </Permitted>
    </>
  )
}
