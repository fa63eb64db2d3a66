'use client'

import { formatFen, type PlanDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import layout from '../../ui/layout.module.css'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Raw } from '../../ui/raw.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './plans.module.css'
import { WaitingPlans } from './waiting-plans.tsx'

const CreatePlan = dynamic(() => import('./plan-dialogs.tsx').then((module) => module.CreatePlan), {
  ssr: false,
})

export function PlanBadge({ onSale }: { onSale: boolean }) {
  const t = useTranslations('plans')
  return <Badge tone={onSale ? 'ok' : 'quiet'}>{t(onSale ? 'onSale' : 'offSale')}</Badge>
}

export function PlanPriceTag({ plan }: { plan: PlanDetail }) {
  return (
    <span className={styles['price']}>
      {plan.listPriceFen !== null && <del>{formatFen(plan.listPriceFen)}</del>}
      <strong>{formatFen(plan.priceFen)}</strong>
    </span>
  )
}

function PlanName({ plan }: { plan: PlanDetail }) {
  return (
    <span className={styles['name']}>
      <Link href={paths.plan(plan)}>{plan.name}</Link>
      {plan.badge && (
        <span className={layout['pill']} data-tone="wait">
          {plan.badge}
        </span>
      )}
    </span>
  )
}

function PlanTable({ plans }: { plans: readonly PlanDetail[] }) {
  const t = useTranslations('plans')
  const column = columnsOf(t)
  const columns: Column<PlanDetail>[] = [
    column.cell('name', (plan) => <PlanName plan={plan} />),
    column.cell('code', ({ code }) => <Raw>{code}</Raw>),
    column.count('duration', ({ durationDays }) => t('days', { days: durationDays })),
    column.count('price', (plan) => <PlanPriceTag plan={plan} />),
    column.cell('state', ({ onSale }) => <PlanBadge onSale={onSale} />),
    column.time('updatedAt', ({ updatedAt }) => updatedAt),
  ]
  return (
    <PlainTable
      caption={t('title')}
      rows={plans}
      rowKey={({ code }) => code}
      empty={t('empty')}
      columns={columns}
    />
  )
}

const createPlan = defineDialogAct(() => useTranslations('plans'), {
  icon: 'plus',
  permission: 'plan.edit',
  words: (t) => ({ label: t('create'), hint: t('createHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (_, close) => <CreatePlan onClose={close} />,
})

/** What is sold, in the order of the shop. */
export function PlansView() {
  const t = useTranslations('plans')
  const failureOf = useFailure()
  const plans = useQuery(useTRPC().plan.catalogue.queryOptions())
  const failure = failureOf(plans.error)
  return (
    <>
      <PageHeader title={t('title')} aside={t('lead')} actions={<DialogAct of={createPlan} />} />
      <WaitingPlans waiting={plans.data?.waiting ?? []} plans={plans.data?.items ?? []} />
      <Panel title={t('all')}>
        {failure ? (
          <FailurePanel failure={failure} onRetry={() => void plans.refetch()} />
        ) : plans.data ? (
          <PlanTable plans={plans.data.items} />
        ) : (
          <Skeleton height={160} />
        )}
      </Panel>
    </>
  )
}
