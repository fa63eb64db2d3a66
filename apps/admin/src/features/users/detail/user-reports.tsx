import { type ReportRow, reportNumber, type UserDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../../api-client/api-provider.tsx'
import { paths } from '../../../paths.ts'
import { useForbidden } from '../../../session/operator-context.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import page from '../../../ui/detail-page.module.css'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import lines from '../../../ui/lines.module.css'
import { Lines } from '../../../ui/lines.tsx'
import { Link } from '../../../ui/link.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ReportKindBadge } from '../../reports/report-kind-badge.tsx'
import styles from './detail.module.css'

const NEWEST = 5

/** A report in one line: opening it goes on record, naming it does not. */
function ReportLine({ report: { id, kind, score, serialNumber, startedAt } }: { report: ReportRow }) {
  const t = useTranslations('users')
  const measured = score === null ? null : t('reportScore', { score: reportNumber('score', score) })
  return (
    <li>
      <span className={lines['side']}>
        <Link href={paths.report({ id })}>
          <DateTime time={startedAt} />
        </Link>
        <span className={page['zone']}>{[measured, serialNumber].filter(Boolean).join(' · ')}</span>
      </span>
      <ReportKindBadge kind={kind} />
    </li>
  )
}

function NewestReports({ userId }: { userId: string }) {
  const t = useTranslations('users')
  const failureOf = useFailure()
  const reports = useQuery(useTRPC().report.list.queryOptions({ search: userId, limit: NEWEST }))
  const failure = reports.data ? null : failureOf(reports.error)
  if (failure) return <FailurePanel failure={failure} onRetry={() => void reports.refetch()} />
  if (!reports.data) return <Skeleton height={80} />
  return (
    <Lines rows={reports.data.items} empty={t('noReports')}>
      {(report) => <ReportLine key={report.id} report={report} />}
    </Lines>
  )
}

/** The newest reports, for who may read health data; the others are told that they may not. */
export function UserReports({ user: { id, reportCount } }: { user: UserDetail }) {
  const t = useTranslations('users')
  const forbidden = useForbidden('report.read')
  const all = !forbidden && reportCount > 0 && (
    <Link href={paths.reports({ q: id })} prefetch={false}>
      {t('allReports')}
    </Link>
  )
  return (
    <Panel title={t('reports', { count: reportCount })} aside={all}>
      {forbidden ? (
        <p className={styles['allowed']}>{t('reportsForbidden', forbidden)}</p>
      ) : (
        <NewestReports userId={id} />
      )}
    </Panel>
  )
}
