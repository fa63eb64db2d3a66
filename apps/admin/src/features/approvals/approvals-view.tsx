'use client'

import type { NamedApproval, WaitingApproval } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { isId } from '../../format.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { ExportButton } from '../../kit/list/export-button.tsx'
import { useForbidden } from '../../session/operator-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Shortened } from '../../ui/identifier.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'
import { desks, useApprovalWords } from './approval-words.ts'
import styles from './approvals.module.css'
import { useObstacle } from './use-obstacle.ts'

/** Whether it waits for who looks, or why it does not. */
function Mine({ waiting }: { waiting: WaitingApproval }) {
  const t = useTranslations('approvals')
  const forbidden = useForbidden(desks[waiting.kind].permission)
  const obstacleOf = useObstacle()
  if (waiting.isOwn)
    return (
      <Badge tone="quiet" icon="user">
        {t('own')}
      </Badge>
    )
  const why = (forbidden && t('forbidden', forbidden)) ?? obstacleOf(waiting.obstacle)
  if (why) return <span className={styles['by']}>{why}</span>
  return <Badge tone="wait">{t('waitsForYou')}</Badge>
}

function What({ waiting }: { waiting: WaitingApproval }) {
  const { name, change } = useApprovalWords()(waiting)
  return (
    <span className={styles['stack']}>
      <Link href={desks[waiting.kind].href(waiting)}>{name}</Link>
      {change && (
        <span className={styles['by']} title={change}>
          {isId(change) ? <Shortened value={change} /> : change}
        </span>
      )}
    </span>
  )
}

function When({ waiting: { requestedAt, dueAt } }: { waiting: WaitingApproval }) {
  const t = useTranslations('approvals')
  return (
    <span className={styles['stack']}>
      <DateTime time={requestedAt} relative />
      {dueAt && (
        <span className={styles['by']}>
          {t('dueAt')} <DateTime time={dueAt} exact />
        </span>
      )}
    </span>
  )
}

function WaitingTable({ items }: { items: readonly NamedApproval[] }) {
  const t = useTranslations('approvals')
  const column = columnsOf(t)
  const customerPlace = useCustomerPlace()
  const columns: Column<NamedApproval>[] = [
    column.cell('what', (waiting) => <What waiting={waiting} />),
    column.person('user', ({ customer }) => customer, customerPlace),
    column.text('who', ({ requestedBy }) => requestedBy),
    column.cell('when', (waiting) => <When waiting={waiting} />),
    column.cell('forWhom', (waiting) => <Mine waiting={waiting} />),
    column.cell('act', (waiting) => <Link href={desks[waiting.kind].href(waiting)}>{t('look')}</Link>),
  ]
  return (
    <PlainTable
      caption={t('pageTitle')}
      rows={items}
      rowKey={({ kind, id }) => `${kind} ${id}`}
      empty=""
      columns={columns}
    />
  )
}

/** Whatever waits for a second person, the oldest first, and where it is decided. */
export function ApprovalsView() {
  const t = useTranslations('approvals')
  const failureOf = useFailure()
  const query = useQuery(useTRPC().approval.waiting.queryOptions())
  const failure = failureOf(query.error)
  if (!query.data && !failure) return <ListSkeleton title={t('pageTitle')} />
  const items = query.data?.items ?? []
  return (
    <>
      <PageHeader
        title={t('pageTitle')}
        aside={query.data && t('count', { count: items.length })}
        actions={<ExportButton name="approvals" query={{}} />}
      />
      <Panel>
        {!query.data && failure ? (
          <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
        ) : items.length === 0 ? (
          <BlankSlate icon="checkCircle" title={t('emptyTitle')} hint={t('emptyHint')} />
        ) : (
          <div className={styles['sheet']}>
            <WaitingTable items={items} />
          </div>
        )}
      </Panel>
    </>
  )
}
