import { formatFen, type PlanDetail, type PlanItem } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { ActButton } from '../../kit/act/act-button.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { paths } from '../../paths.ts'
import { Badge, type Look } from '../../ui/badge.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'

const useWords = () => useTranslations('plans.item')

const looks: Readonly<Record<PlanItem['state'], Look>> = {
  published: { tone: 'ok' },
  publishing: { tone: 'wait' },
  uploaded: { tone: 'wait', icon: 'upload' },
  failed: { tone: 'bad' },
  not_listed: { tone: 'quiet' },
}

/** What the platform says of every plan's item, once somebody has asked for it. */
export function useItemCheck() {
  const t = useWords()
  return useAct({
    call: (api) => (_: null) => api.plan.items.query(),
    invalidates: [],
    starting: t('checking'),
    done: ({ items }) => t('checked', { count: items.length }),
    refused: (reason) => t('checkFailed', { reason }),
  })
}

type Check = ReturnType<typeof useItemCheck>

/** Asks the platform now: by itself nothing does, for it allows few calls. */
export function CheckItems({ check }: { check: Check }) {
  const t = useWords()
  return (
    <ActButton
      icon="sync"
      label={t('check')}
      hint={t('checkHint')}
      quiet
      permission="plan.edit"
      forbidden={(who) => t('forbidden', who)}
      act={check}
      input={null}
    />
  )
}

/** How the platform knows it, and whether it costs the same there, as far as it tells. */
function Standing({ plan, item }: { plan: PlanDetail; item: PlanItem }) {
  const t = useWords()
  const { state, priceFen } = item
  const isOther = priceFen !== null && priceFen !== plan.priceFen
  return (
    <>
      <Badge {...looks[state]} title={t(`meanings.${state}`)}>
        {t(`states.${state}`)}
      </Badge>
      {isOther && (
        <Badge tone="bad" title={t('driftHint')}>
          {t('drift', { amount: formatFen(priceFen) })}
        </Badge>
      )}
    </>
  )
}

/** The item that a plan is sold as by virtual payment, and what the platform said of it. */
export function ItemOf({ plan, check }: { plan: PlanDetail; check: Check }) {
  const t = useWords()
  const { virtualProductId: id, code } = plan
  if (id === null) return <span className={layout['note']}>{t('none')}</span>
  const item = check.output?.items.find((one) => one.code === code)
  return (
    <span className={`${layout['lines']} ${layout['start']}`}>
      <Identifier value={id} name={t('id')} whole />
      {item && <Standing plan={plan} item={item} />}
    </span>
  )
}

/** Phones were refused because a price differs from its item's, and nobody has looked after it yet. */
export function PriceDrift({ plan }: { plan?: PlanDetail }) {
  const t = useWords()
  const kind = 'virtual_price_differs'
  const alerts = useQuery(useTRPC().alert.list.queryOptions({ state: 'open', kind }))
  const first = alerts.data?.items.find(({ subject }) => !plan || subject === plan.code)
  if (!first) return null
  return (
    <Notice tone="bad">
      {t('refusedPrice')} <Link href={paths.alert(first)}>{t('toAlert')}</Link>
    </Notice>
  )
}
