import { formatFen, type OrderAttempt, type OrderDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { Badge, type Look } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import layout from '../../../ui/layout.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { EmptyValue } from '../../../ui/text.tsx'
import { useInquiryColumns } from '../../refunds/inquiries/inquiry-columns.tsx'
import styles from './detail.module.css'

const looks: Readonly<Record<OrderAttempt['state'], Look>> = {
  open: { tone: 'wait' },
  paid: { tone: 'ok' },
  second: { tone: 'bad', icon: 'alert' },
  closed: { tone: 'quiet' },
}

/** What was paid is to be handed over, and the platform told so. */
function Delivery({ attempt: { state, deliveredAt } }: { attempt: OrderAttempt }) {
  const t = useTranslations('order')
  if (deliveredAt) return <DateTime time={deliveredAt} />
  return state === 'paid' ? <Badge tone="wait">{t('undelivered')}</Badge> : <EmptyValue />
}

/** Whether the platform has settled it, and what it kept. */
function Settlement({ attempt: { settlement, settledAt, feeFen } }: { attempt: OrderAttempt }) {
  const t = useTranslations('order')
  if (settlement === null) return <EmptyValue />
  return (
    <span className={`${layout['lines']} ${layout['start']}`}>
      <span>
        {t(`settlements.${settlement}`)} {settledAt && <DateTime time={settledAt} />}
      </span>
      {feeFen !== null && (
        <span className={layout['note']}>{t('platformFee', { amount: formatFen(feeFen) })}</span>
      )}
    </span>
  )
}

/** When it was signed; once it was paid also what the platform calls it, and how it stands there. */
function useFacts(attempt: OrderAttempt): Fact[] {
  const t = useTranslations('order')
  const { signedAt, state, byApple } = attempt
  const signed = { key: 'signedAt', term: t('signedAt'), value: <DateTime time={signedAt} exact /> }
  if (state === 'open' || state === 'closed') return [signed]
  const numbers = (['wxOrderId', 'channelOrderId'] as const).map((key) => {
    const value = attempt[key]
    return { key, term: t(key), value: value && <Identifier value={value} name={t(key)} /> }
  })
  const sheet = byApple === null ? null : t(byApple ? 'byApple' : 'byWechat')
  return [
    signed,
    { key: 'sheet', term: t('tradeType'), value: sheet },
    ...numbers,
    { key: 'delivered', term: t('delivered'), value: <Delivery attempt={attempt} /> },
    { key: 'settlement', term: t('settlement'), value: <Settlement attempt={attempt} /> },
  ]
}

function Attempt({ attempt }: { attempt: OrderAttempt }) {
  const t = useTranslations('order')
  const { number, state } = attempt
  return (
    <li>
      <p className={styles['attempt']}>
        <Identifier value={number} name={t('attemptNo')} whole />
        <Badge {...looks[state]}>{t(`attemptStates.${state}`)}</Badge>
      </p>
      <DescriptionList items={useFacts(attempt)} />
    </li>
  )
}

/** Each number that was signed for the order, the newest first: a number is used once. */
export function OrderAttempts({ order: { channel, attempts } }: { order: OrderDetail }) {
  const t = useTranslations('order')
  if (channel !== 'virtual') return null
  return (
    <Panel title={t('attempts')}>
      {attempts.length === 0 ? (
        <p className={styles['ends']}>{t('attemptsEmpty')}</p>
      ) : (
        <ol className={styles['attempts']} aria-label={t('attempts')}>
          {attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** Of the list's columns: what is the order's own is left out. */
const shown = ['answer', 'reason', 'evidence', 'requestedAt']

/** What Apple asked about refunds of this order, and what it was told. */
export function OrderInquiries({ order }: { order: OrderDetail }) {
  const t = useTranslations('inquiries')
  const query = useTRPC().refund.inquiries.queryOptions({ search: order.outTradeNo, limit: 100 })
  const inquiries = useQuery({ ...query, enabled: order.attempts.some(({ byApple }) => byApple !== false) })
  const columns = useInquiryColumns()
  return (
    <RecordsPanel
      title={t('title')}
      rows={inquiries.data?.items ?? []}
      rowKey={({ id }) => id}
      columns={columns.filter(({ key }) => shown.includes(key))}
    />
  )
}
