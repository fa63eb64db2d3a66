import { formatFen, type OrderAttempt, type OrderDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Badge, type Look } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import layout from '../../../ui/layout.module.css'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { EmptyValue } from '../../../ui/text.tsx'
import { useInquiryColumns } from '../../refunds/inquiries/inquiry-columns.tsx'

const lines = `${layout['lines']} ${layout['start']}`

const looks: Readonly<Record<OrderAttempt['state'], Look>> = {
  open: { tone: 'wait' },
  paid: { tone: 'ok' },
  second: { tone: 'bad', icon: 'alert' },
  closed: { tone: 'quiet' },
}

function State({ attempt: { state, byApple } }: { attempt: OrderAttempt }) {
  const t = useTranslations('order')
  return (
    <span className={lines}>
      <Badge {...looks[state]}>{t(`attemptStates.${state}`)}</Badge>
      {byApple !== null && <span className={layout['note']}>{t(byApple ? 'byApple' : 'byWechat')}</span>}
    </span>
  )
}

/** What the platform calls it, and the receipt of whoever paid. */
function PlatformNumbers({ attempt }: { attempt: OrderAttempt }) {
  const t = useTranslations('order')
  const numbers = (['wxOrderId', 'channelOrderId'] as const).flatMap((key) => {
    const value = attempt[key]
    return value ? [{ key, value }] : []
  })
  if (numbers.length === 0) return <EmptyValue />
  return (
    <span className={lines}>
      {numbers.map(({ key, value }) => (
        <span key={key} className={lines}>
          <span className={layout['note']}>{t(key)}</span>
          <Identifier value={value} name={t(key)} />
        </span>
      ))}
    </span>
  )
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
    <span className={lines}>
      {t(`settlements.${settlement}`)}
      {settledAt && <DateTime time={settledAt} />}
      {feeFen !== null && (
        <span className={layout['note']}>{t('platformFee', { amount: formatFen(feeFen) })}</span>
      )}
    </span>
  )
}

/** Each number that was signed for the order, the newest first: a number is used once. */
export function OrderAttempts({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const column = columnsOf(t)
  const number = ({ number, signedAt }: OrderAttempt) => (
    <span className={lines}>
      <Identifier value={number} name={t('attemptNo')} />
      <DateTime time={signedAt} exact />
    </span>
  )
  if (order.channel !== 'virtual') return null
  const columns: Column<OrderAttempt>[] = [
    column.cell('attemptNo', number),
    column.cell('attemptState', (attempt) => <State attempt={attempt} />),
    column.cell('platformNumbers', (attempt) => <PlatformNumbers attempt={attempt} />),
    column.cell('delivered', (attempt) => <Delivery attempt={attempt} />),
    column.cell('settlement', (attempt) => <Settlement attempt={attempt} />),
  ]
  return (
    <RecordsPanel
      title={t('attempts')}
      rows={order.attempts.toReversed()}
      rowKey={({ number }) => number}
      empty={t('attemptsEmpty')}
      columns={columns}
    />
  )
}

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
      columns={columns.filter(({ key }) => key !== 'order')}
    />
  )
}
