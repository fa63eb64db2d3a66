import type { DeliveryState, DeliveryType, WebhookState } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Look } from '../../ui/badge.tsx'

/** Where the words of each type stand: messages are looked up by paths, which a dot would part. */
const typeWords = {
  'order.paid': 'order_paid',
  'order.closed': 'order_closed',
  'order.refunded': 'order_refunded',
  'refund.succeeded': 'refund_succeeded',
  'subscription.changed': 'subscription_changed',
  'device.bound': 'device_bound',
  'device.unbound': 'device_unbound',
  'complaint.opened': 'complaint_opened',
  'alert.opened': 'alert_opened',
  'webhook.test': 'webhook_test',
} as const satisfies Record<DeliveryType, string>

/** What a type of event is called. */
export function useEventType(): (type: DeliveryType) => string {
  const t = useTranslations('webhooks.types')
  return (type) => t(typeWords[type])
}

/** What an endpoint is told of, in words. */
export function TypeWords({ types }: { types: readonly DeliveryType[] }) {
  const t = useTranslations('webhooks')
  const typeOf = useEventType()
  return types.length === 0 ? t('allTypes') : types.map(typeOf).join(t('and'))
}

const endpointLooks: Readonly<Record<WebhookState, Look>> = {
  active: { tone: 'ok' },
  failing: { tone: 'bad' },
  off: { tone: 'quiet' },
  gone: { tone: 'bad', icon: 'dash' },
  failed: { tone: 'bad', icon: 'dash' },
}

export function EndpointBadge({ state }: { state: WebhookState }) {
  const t = useTranslations('webhooks.states')
  return <Badge {...endpointLooks[state]}>{t(state)}</Badge>
}

const deliveryLooks: Readonly<Record<DeliveryState, Look>> = {
  waiting: { tone: 'wait' },
  delivered: { tone: 'ok' },
  given_up: { tone: 'bad' },
}

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  const t = useTranslations('webhooks.deliveries.states')
  return <Badge {...deliveryLooks[state]}>{t(state)}</Badge>
}
