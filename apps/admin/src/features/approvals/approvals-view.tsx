'use client'

import {
  formatFen,
  type Permission,
  SettingKey,
  type WaitingApproval,
  type WaitingKind,
} from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import styles from './approvals.module.css'
import { useObstacle } from './use-obstacle.ts'

const Price = z.object({ priceFen: z.int(), durationDays: z.int() })
const Kept = z.object({ value: z.union([z.string(), z.number(), z.boolean()]) })
const Refund = z.object({ amountFen: z.int() })
const Grant = z.object({ days: z.int(), reason: z.string() })

type ApprovalWords = { name: string; change: string | null }

/** What is asked for, and what would become of what: in words, short enough for a row. */
export function useApprovalWords(): (waiting: WaitingApproval) => ApprovalWords {
  const t = useTranslations('approvals')
  const settings = useTranslations('settings.names')
  const arrow = (before: string | null, after: string) => (before ? t('fromTo', { before, after }) : after)
  const priceOf = (value: unknown): string | null => {
    const price = Price.safeParse(value).data
    return price ? t('price', { amount: formatFen(price.priceFen), days: price.durationDays }) : null
  }
  const settingOf = (key: SettingKey, value: unknown): string | null => {
    const kept = Kept.safeParse(value).data
    if (!kept) return null
    return key.includes('_fen') && typeof kept.value === 'number' ? formatFen(kept.value) : String(kept.value)
  }
  return ({ kind, subject, before, after }) => {
    if (kind === 'refund') {
      const refund = Refund.safeParse(after).data
      return {
        name: t('names.refund', { amount: refund ? formatFen(refund.amountFen) : '' }),
        change: subject,
      }
    }
    if (kind === 'refund_stop') return { name: t('names.refundStop'), change: subject }
    if (kind === 'grant') {
      const grant = Grant.safeParse(after).data
      return { name: t('names.grant', { days: grant?.days ?? 0 }), change: grant?.reason ?? null }
    }
    if (kind === 'plan') {
      const price = priceOf(after)
      return { name: t('names.plan', { plan: subject }), change: price && arrow(priceOf(before), price) }
    }
    if (kind === 'diagnosis') return { name: t('names.diagnosis', { version: subject }), change: null }
    const key = SettingKey.safeParse(subject).data
    if (!key) return { name: subject, change: null }
    const value = settingOf(key, after)
    return {
      name: t('names.setting', { setting: settings(key) }),
      change: value && arrow(settingOf(key, before), value),
    }
  }
}

/** Where each kind is decided, and who may. */
export const desks: Readonly<
  Record<WaitingKind, { permission: Permission; href: (waiting: WaitingApproval) => string }>
> = {
  refund: { permission: 'refund.approve', href: ({ subject }) => paths.refund({ outRefundNo: subject }) },
  refund_stop: {
    permission: 'refund.approve',
    href: ({ subject }) => paths.refund({ outRefundNo: subject }),
  },
  grant: { permission: 'grant.approve', href: ({ subject }) => paths.subscription({ userId: subject }) },
  plan: { permission: 'plan.edit', href: () => paths.plans() },
  setting: { permission: 'setting.edit', href: () => paths.settings() },
  diagnosis: { permission: 'diagnosis.publish', href: () => paths.diagnosis() },
}

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
      {change && <span className={styles['by']}>{change}</span>}
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

function WaitingTable({ items }: { items: readonly WaitingApproval[] }) {
  const t = useTranslations('approvals')
  const column = columnsOf(t)
  const columns: Column<WaitingApproval>[] = [
    column.cell('what', (waiting) => <What waiting={waiting} />),
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
      <PageHeader title={t('pageTitle')} aside={query.data && t('count', { count: items.length })} />
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
