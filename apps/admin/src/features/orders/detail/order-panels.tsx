import { formatFen, isByApple, netFenOfOrder, type OrderDetail } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx'
import { DetailColumns, DetailSkeleton } from '../../../ui/detail-page.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Link } from '../../../ui/link.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useSoldName } from '../../plans/plan-name.ts'
import { NameOfCustomer } from '../../related/customer-card.tsx'
import { useFeatureName } from '../../subscriptions/subscription-words.tsx'
import styles from './detail.module.css'

type WordList =
  | 'eventKinds'
  | 'platformReplies'
  | 'channels'
  | 'grantKinds'
  | 'notificationOutcomes'
  | 'parkReasons'
  | 'closeReasons'
  | 'acts'

/** The word for a code of the API; a code newer than this console is shown as it is. */
export function useWord(): (list: WordList, code: string) => string {
  const { order } = useMessages()
  return (list, code) => {
    const words: Readonly<Record<string, string>> = order[list]
    return words[code] ?? code
  }
}

/** Whose sheet the money came by, once that is known. */
function paidThroughOf({ attempts, paidAttemptNo, ...payment }: OrderDetail): 'byApple' | 'byWechat' | null {
  if (paidAttemptNo === null) return null
  const { byApple = null } = attempts.find(({ number }) => number === paidAttemptNo) ?? {}
  return (byApple ?? isByApple(payment)) ? 'byApple' : 'byWechat'
}

/** What is left of the order to date, and what the platform kept of it. */
function useLeft(order: OrderDetail): Fact[] {
  const t = useTranslations('order')
  const net = netFenOfOrder(order)
  if (net === null) return []
  return [
    { key: 'net', term: t('net'), value: formatFen(net) },
    { key: 'fee', term: t('fee'), value: order.feeFen === null ? t('feeUnknown') : formatFen(order.feeFen) },
  ]
}

const moment = (time: Date | null) => time && <DateTime time={time} />

function useFacts(order: OrderDetail): Fact[] {
  const t = useTranslations('order')
  const orders = useTranslations('orders')
  const word = useWord()
  const featureName = useFeatureName()
  const paidThrough = paidThroughOf(order)
  const soldName = useSoldName()(order.planName)
  const left = useLeft(order)
  const soldAs = soldName === order.planName ? soldName : `${soldName} (${order.planName})`
  return [
    {
      key: 'plan',
      term: t('plan'),
      value: t('planDays', { name: soldAs, days: order.durationDays }),
    },
    { key: 'channel', term: t('channel'), value: orders(`channels.${order.channel}`) },
    { key: 'amount', term: t('amount'), value: formatFen(order.amountFen) },
    {
      key: 'refunded',
      term: t('refunded'),
      value: order.refundedFen > 0 ? formatFen(-order.refundedFen) : null,
    },
    ...left,
    { key: 'createdAt', term: t('createdAt'), value: moment(order.createdAt) },
    { key: 'expiresAt', term: t('expiresAt'), value: moment(order.expiresAt) },
    { key: 'paidAt', term: t('paidAt'), value: moment(order.paidAt) },
    {
      key: 'confirmedBy',
      term: t('confirmedBy'),
      value: order.confirmedBy && word('channels', order.confirmedBy),
    },
    ...(order.channel === 'virtual'
      ? [{ key: 'paidThrough', term: t('tradeType'), value: paidThrough && t(paidThrough) }]
      : [
          { key: 'tradeType', term: t('tradeType'), value: order.tradeType },
          { key: 'bankType', term: t('bankType'), value: order.bankType },
        ]),
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

const shown = {
  jsapi: [
    'outTradeNo',
    'transactionId',
    'userId',
    'prepayId',
    'payerOpenid',
    'appId',
    'mchId',
    'platformHost',
  ],
  virtual: [
    'outTradeNo',
    'paidAttemptNo',
    'transactionId',
    'userId',
    'virtualProductId',
    'payerOpenid',
    'appId',
    'mchId',
    'platformHost',
  ],
} as const satisfies Record<OrderDetail['channel'], readonly (keyof OrderDetail)[]>

/** Everything this order is called, here and on the platform. */
export function OrderIdentifiers({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const facts = shown[order.channel].map((key) => {
    const value = order[key]
    const page = key === 'userId' && { href: paths.user({ id: order.userId }) }
    const term = t(key === 'mchId' && order.channel === 'virtual' ? 'offerId' : key)
    return {
      key,
      term,
      value: value && <Identifier value={value} name={term} whole={value.length <= 28} {...page} />,
    }
  })
  return (
    <Panel title={t('identifiers')}>
      <DescriptionList items={facts} wide />
    </Panel>
  )
}

function Devices({ devices }: Pick<OrderDetail, 'devices'>) {
  const t = useTranslations('order')
  if (devices.length === 0) return <p className={styles['ends']}>{t('noDevices')}</p>
  return (
    <ul aria-label={t('devices')}>
      {devices.map((device) => (
        <li key={device.serialNumber}>
          {t('device')}{' '}
          <Identifier
            value={device.serialNumber}
            name={t('serialNumber')}
            href={paths.device(device)}
            whole
          />
        </li>
      ))}
    </ul>
  )
}

/** What the user has now, from this order and all others. */
export function OrderSubscription({ order: { userId, subscription, devices } }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const { isActive, remainingDays, expiresAt } = subscription
  return (
    <Panel
      title={t('subscription')}
      aside={<Badge tone={isActive ? 'ok' : 'quiet'}>{t(isActive ? 'active' : 'inactive')}</Badge>}
    >
      <NameOfCustomer userId={userId} />
      <p className={styles['remaining']}>{t('remainingDays', { days: remainingDays })}</p>
      {expiresAt && (
        <p className={styles['ends']}>
          {t('subscriptionEnds')} <DateTime time={expiresAt} />
        </p>
      )}
      <Devices devices={devices} />
      <p className={styles['onward']}>
        <Link href={paths.subscription({ userId })}>{t('openSubscription')}</Link>
        <Link href={paths.user({ id: userId })}>{t('openUser')}</Link>
      </p>
    </Panel>
  )
}

const bars = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    key: String(place),
    term: '\u00a0',
    value: <Skeleton width={120} />,
  }))

/** The shape of an order's page before its content. */
export function OrderSkeleton() {
  const t = useTranslations('order')
  return (
    <DetailSkeleton>
      <DetailColumns
        aside={
          <>
            <Panel title={t('subscription')}>
              <Skeleton width={140} height={26} />
            </Panel>
            <Panel title={t('timeline')}>
              <Skeleton height={180} />
            </Panel>
          </>
        }
      >
        <Panel title={t('facts')}>
          <DescriptionList items={bars(9)} />
        </Panel>
        <Panel title={t('identifiers')}>
          <DescriptionList items={bars(8)} wide />
        </Panel>
      </DetailColumns>
    </DetailSkeleton>
  )
}
