'use client'

import { FeatureList, Fen, formatFen, type PlanDetail, type WaitingApproval } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useLocale, useTranslations } from 'next-intl'
import { z } from 'zod'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { formatList } from '../../format.ts'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Change, ChangeTable } from '../../ui/change-table.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Raw } from '../../ui/text.tsx'
import { type Described, useDecide, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { useFeatureName } from '../subscriptions/subscription-words.tsx'
import { CheckItems, ItemOf, PriceDrift, useItemCheck } from './plan-item.tsx'
import { planBadgeIn, planNameIn } from './plan-name.ts'
import styles from './plans.module.css'

/** A plan, or as much of it as somebody asked to change. */
const PlanParts = z
  .object({
    name: z.string(),
    priceFen: Fen,
    listPriceFen: Fen.nullable(),
    durationDays: z.int(),
    description: z.string(),
    nameEn: z.string().nullable(),
    descriptionEn: z.string().nullable(),
    features: FeatureList,
    badge: z.string().nullable(),
    badgeEn: z.string().nullable(),
    virtualProductId: z.string().nullable(),
    sortOrder: z.int(),
    onSale: z.boolean(),
  })
  .partial()
type PlanParts = z.infer<typeof PlanParts>

/** Each part of a plan as a person reads it, under its name. */
function usePlanTexts(): (plan: PlanParts) => { key: string; name: string; text: string | null }[] {
  const t = useTranslations('plans')
  const labels = useTranslations('plans.form.labels')
  const featureName = useFeatureName()
  const language = useLocale()
  const amount = (fen?: number | null) => (typeof fen === 'number' ? formatFen(fen) : null)
  const sold = (onSale?: boolean) => (onSale === undefined ? null : t(onSale ? 'onSale' : 'offSale'))
  return (plan) => {
    const { priceFen, durationDays } = plan
    const known = priceFen !== undefined && durationDays !== undefined
    return [
      { key: 'name', name: t('name'), text: plan.name ?? null },
      { key: 'nameEn', name: labels('nameEn'), text: plan.nameEn ?? null },
      { key: 'priceFen', name: t('price'), text: amount(priceFen) },
      { key: 'listPriceFen', name: t('listPrice'), text: amount(plan.listPriceFen) },
      {
        key: 'durationDays',
        name: t('duration'),
        text: durationDays === undefined ? null : t('days', { days: durationDays }),
      },
      {
        key: 'perDay',
        name: t('pricePerDay'),
        text: known ? amount(Math.round(priceFen / durationDays)) : null,
      },
      { key: 'description', name: labels('description'), text: plan.description || null },
      { key: 'descriptionEn', name: labels('descriptionEn'), text: plan.descriptionEn ?? null },
      {
        key: 'features',
        name: labels('features'),
        text: formatList((plan.features ?? []).map(featureName), language) || null,
      },
      { key: 'badge', name: labels('badge'), text: plan.badge ?? null },
      { key: 'badgeEn', name: labels('badgeEn'), text: plan.badgeEn ?? null },
      { key: 'virtualProductId', name: labels('virtualProductId'), text: plan.virtualProductId ?? null },
      { key: 'sortOrder', name: labels('sortOrder'), text: plan.sortOrder?.toString() ?? null },
      { key: 'onSale', name: t('state'), text: sold(plan.onSale) },
    ]
  }
}

/** What becomes of a plan, part by part; what stays is left out. */
function usePlanChanges(): (before: PlanParts, after: PlanParts) => Change[] {
  const textsOf = usePlanTexts()
  return (before, after) => {
    const was = textsOf(before)
    return textsOf({ ...before, ...after })
      .map(({ key, name, text }) => ({
        key,
        name,
        before: was.find((one) => one.key === key)?.text ?? null,
        after: text,
      }))
      .filter((change) => change.before !== change.after)
  }
}

const Asked = PlanParts.extend({ act: z.string().optional() })

/** Prices and plans that wait for a second person. */
export function WaitingPlans({
  waiting,
  plans,
}: {
  waiting: readonly WaitingApproval[]
  plans: readonly PlanDetail[]
}) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const language = useLocale()
  const changesOf = usePlanChanges()
  const decide = useDecide({ call: (api) => api.plan.decide.mutate, invalidates: ['plan'] })
  const describe = ({ subject, before, after }: WaitingApproval): Described => {
    const { act, ...asked } = Asked.parse(after)
    const plan = plans.find(({ code }) => code === subject)
    const name =
      act === 'create'
        ? t('waitingNew', { plan: asked.name ?? subject })
        : t('waitingPrice', { plan: plan ? planNameIn(plan, language) : subject })
    const changes = changesOf({ ...plan, ...PlanParts.parse(before) }, asked)
    return { name, changes: <ChangeTable caption={said('changesOf', { name })} changes={changes} /> }
  }
  return <WaitingChanges waiting={waiting} describe={describe} permission="plan.edit" decide={decide} />
}

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
  const language = useLocale()
  return (
    <span className={styles['name']}>
      <Link href={paths.plan(plan)}>{planNameIn(plan, language)}</Link>
      {plan.badge && <span className={layout['note']}>{planBadgeIn(plan, language)}</span>}
    </span>
  )
}

type PlanTableProps = { plans: readonly PlanDetail[]; check: ReturnType<typeof useItemCheck> }

function PlanTable({ plans, check }: PlanTableProps) {
  const t = useTranslations('plans')
  const column = columnsOf(t)
  const columns: Column<PlanDetail>[] = [
    column.cell('name', (plan) => <PlanName plan={plan} />),
    column.cell('code', ({ code }) => <Raw>{code}</Raw>),
    column.count('duration', ({ durationDays }) => t('days', { days: durationDays })),
    column.count('price', (plan) => <PlanPriceTag plan={plan} />),
    {
      key: 'item',
      title: t('item.title'),
      cell: (plan) => <ItemOf plan={plan} check={check} />,
      skeleton: 72,
      card: 'line',
    },
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
  const check = useItemCheck()
  const failure = failureOf(plans.error)
  return (
    <>
      <PageHeader title={t('title')} aside={t('lead')} actions={<DialogAct of={createPlan} />} />
      <WaitingPlans waiting={plans.data?.waiting ?? []} plans={plans.data?.items ?? []} />
      <div className={styles['rows']}>
        <PriceDrift />
        <Panel title={t('all')} aside={<CheckItems check={check} />}>
          {failure ? (
            <FailurePanel failure={failure} onRetry={() => void plans.refetch()} />
          ) : plans.data ? (
            <PlanTable plans={plans.data.items} check={check} />
          ) : (
            <Skeleton height={160} />
          )}
        </Panel>
      </div>
    </>
  )
}
