import { formatFen, type OrderDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useFeatureName } from '../../subscriptions/use-feature-name.ts'
import styles from './detail.module.css'
import { useWord } from './use-word.ts'

const moment = (time: Date | null) => time && <DateTime time={time} />

function useFacts(order: OrderDetail): Fact[] {
  const t = useTranslations('order')
  const word = useWord()
  const featureName = useFeatureName()
  return [
    {
      key: 'plan',
      term: t('plan'),
      value: t('planDays', { name: order.planName, days: order.durationDays }),
    },
    { key: 'amount', term: t('amount'), value: formatFen(order.amountFen) },
    {
      key: 'refunded',
      term: t('refunded'),
      value: order.refundedFen > 0 ? formatFen(-order.refundedFen) : null,
    },
    { key: 'createdAt', term: t('createdAt'), value: moment(order.createdAt) },
    { key: 'expiresAt', term: t('expiresAt'), value: moment(order.expiresAt) },
    { key: 'paidAt', term: t('paidAt'), value: moment(order.paidAt) },
    {
      key: 'confirmedBy',
      term: t('confirmedBy'),
      value: order.confirmedBy && word('channels', order.confirmedBy),
    },
    { key: 'tradeType', term: t('tradeType'), value: order.tradeType },
    { key: 'bankType', term: t('bankType'), value: order.bankType },
    ...(order.closedAt
      ? [
          { key: 'closedAt', term: t('closedAt'), value: moment(order.closedAt) },
          {
            key: 'closeReason',
            term: t('closeReason'),
            value: order.closeReason && word('closeReasons', order.closeReason),
          },
        ]
      : []),
    { key: 'features', term: t('features'), value: order.features.map(featureName).join(' · ') || null },
  ]
}

export function OrderFacts({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const zone = useTranslations('shell')('zone')
  return (
    <Panel title={t('facts')} aside={<span className={styles['zone']}>{zone}</span>}>
      <DescriptionList items={useFacts(order)} />
    </Panel>
  )
}

const shown = [
  'outTradeNo',
  'transactionId',
  'userId',
  'prepayId',
  'payerOpenid',
  'appId',
  'mchId',
  'platformHost',
] as const satisfies readonly (keyof OrderDetail)[]

/** Everything this order is called, here and on the platform. */
export function OrderIdentifiers({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const facts = shown.map((key) => {
    const value = order[key]
    const page = key === 'userId' && { href: paths.user({ id: order.userId }) }
    return {
      key,
      term: t(key),
      value: value && <Identifier value={value} name={t(key)} whole={value.length <= 28} {...page} />,
    }
  })
  return (
    <Panel title={t('identifiers')}>
      <DescriptionList items={facts} wide />
    </Panel>
  )
}
