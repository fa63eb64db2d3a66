'use client'

import { formatFen, type PlanDetail, type PlanSheet } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useLocale, useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { DetailColumns, DetailHead } from '../../ui/detail-page.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { useFeatureName } from '../subscriptions/subscription-words.tsx'
import { CheckItems, ItemOf, PriceDrift, useItemCheck } from './plan-item.tsx'
import { planNameIn } from './plan-name.ts'
import styles from './plans.module.css'
import { PlanBadge, PlanPriceTag, WaitingPlans } from './plans-view.tsx'

/** Said in English whatever language the page is in. */
const inEnglish = (text: string | null) =>
  text && (
    <span lang="en" data-raw="" translate="no">
      {text}
    </span>
  )

const EditPlan = dynamic(() => import('./plan-dialogs.tsx').then((module) => module.EditPlan), { ssr: false })
const PriceDialog = dynamic(() => import('./plan-dialogs.tsx').then((module) => module.PriceDialog), {
  ssr: false,
})

const useWords = () => useTranslations('plans')
type PlanProps = { plan: PlanDetail }

const changePlan = defineDialogAct(useWords, {
  icon: 'edit',
  permission: 'plan.edit',
  words: (t) => ({ label: t('edit'), hint: t('editLead'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ plan }: PlanProps, close) => <EditPlan plan={plan} onClose={close} />,
})

const changePrice = defineDialogAct(useWords, {
  icon: 'receipt',
  permission: 'plan.edit',
  words: (t) => ({ label: t('changePrice'), hint: t('priceLead'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ plan }: PlanProps, close) => <PriceDialog plan={plan} onClose={close} />,
})

function PlanActions({ plan }: PlanProps) {
  return (
    <span className={styles['actions']}>
      <DialogAct of={changePlan} plan={plan} />
      <DialogAct of={changePrice} plan={plan} quiet />
    </span>
  )
}

function PlanFacts({ plan }: PlanProps) {
  const t = useTranslations('plans')
  const labels = useTranslations('plans.form.labels')
  const featureName = useFeatureName()
  const facts = [
    { key: 'name', term: labels('name'), value: plan.name },
    { key: 'nameEn', term: labels('nameEn'), value: inEnglish(plan.nameEn) },
    { key: 'description', term: labels('description'), value: plan.description || null },
    { key: 'descriptionEn', term: labels('descriptionEn'), value: inEnglish(plan.descriptionEn) },
    { key: 'badge', term: labels('badge'), value: plan.badge },
    { key: 'badgeEn', term: labels('badgeEn'), value: inEnglish(plan.badgeEn) },
    { key: 'features', term: labels('features'), value: plan.features.map(featureName).join(' · ') || null },
    { key: 'sort', term: labels('sortOrder'), value: plan.sortOrder },
    { key: 'created', term: t('createdAt'), value: <DateTime time={plan.createdAt} /> },
    { key: 'updated', term: t('updatedAt'), value: <DateTime time={plan.updatedAt} /> },
  ]
  return (
    <Panel title={t('facts')}>
      <DescriptionList items={facts} wide />
    </Panel>
  )
}

/** What is paid for how many days, as what it is sold, and by whom it was bought. */
function PlanSale({ plan }: PlanProps) {
  const t = useTranslations('plans')
  const check = useItemCheck()
  const facts = [
    { key: 'price', term: t('price'), value: <PlanPriceTag plan={plan} /> },
    { key: 'days', term: t('duration'), value: t('days', { days: plan.durationDays }) },
    {
      key: 'perDay',
      term: t('pricePerDay'),
      value: formatFen(Math.round(plan.priceFen / plan.durationDays)),
    },
    { key: 'item', term: t('item.title'), value: <ItemOf plan={plan} check={check} /> },
  ]
  return (
    <Panel title={t('sale')}>
      <DescriptionList items={facts} />
      <p className={styles['onward']}>
        <Link href={paths.orders({ plan: plan.code })}>{t('itsOrders')}</Link>
        {plan.virtualProductId !== null && <CheckItems check={check} />}
      </p>
    </Panel>
  )
}

function PriceOfDays({ fen, days }: { fen: number; days: number | null }) {
  const t = useTranslations('plans')
  return <>{days === null ? formatFen(fen) : `${formatFen(fen)} · ${t('days', { days })}`}</>
}

function PriceHistory({ changes }: { changes: PlanSheet['priceChanges'] }) {
  const t = useTranslations('plans')
  const column = columnsOf(t)
  const columns: Column<PlanSheet['priceChanges'][number]>[] = [
    column.time('changedAt', ({ changedAt }) => changedAt, { exact: true }),
    column.count('fromPrice', ({ fromFen, fromDays }) => <PriceOfDays fen={fromFen} days={fromDays} />),
    column.count('toPrice', ({ toFen, toDays }) => <PriceOfDays fen={toFen} days={toDays} />),
    column.text('changedBy', ({ operatorEmail }) => operatorEmail ?? '—'),
  ]
  return (
    <RecordsPanel
      title={t('history')}
      rows={changes}
      rowKey={({ id }) => id}
      empty={t('historyEmpty')}
      columns={columns}
    />
  )
}

/** One plan: what it is, what may be changed, how its price moved. */
export function PlanView({ code }: { code: string }) {
  const t = useTranslations('plans')
  const language = useLocale()
  const sheet = useQuery(useTRPC().plan.detail.queryOptions({ code }))
  return (
    <Loaded query={sheet}>
      {({ plan, priceChanges, waiting }) => (
        <>
          <DetailHead
            back={{ href: paths.plans(), label: t('back') }}
            title={planNameIn(plan, language)}
            id={{ value: plan.code, name: t('code'), whole: true }}
            state={<PlanBadge onSale={plan.onSale} />}
            actions={<PlanActions plan={plan} />}
          />
          <WaitingPlans waiting={waiting ? [waiting] : []} plans={[plan]} />
          <DetailColumns aside={<PlanSale plan={plan} />}>
            <PriceDrift plan={plan} />
            <PlanFacts plan={plan} />
            <PriceHistory changes={priceChanges} />
          </DetailColumns>
        </>
      )}
    </Loaded>
  )
}
