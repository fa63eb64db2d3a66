'use client'

import { MOST_WEBHOOK_ATTEMPTS, type WebhookDeliveryDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { developerPaths } from '../../developer-paths.ts'
import { DirectAct } from '../../kit/act/define-act.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { useForbidden } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { DetailHead } from '../../ui/detail-page.tsx'
import { CopyButton, Identifier } from '../../ui/identifier.tsx'
import layout from '../../ui/layout.module.css'
import { Panel } from '../../ui/panel.tsx'
import { RawBlock } from '../../ui/raw-block.tsx'
import { Raw } from '../../ui/text.tsx'
import { permission, sendAgain } from './webhook-acts.tsx'
import { WATCH_MS } from './webhook-state.ts'
import { DeliveryBadge, useEventType } from './webhook-words.tsx'

function DeliveryFacts({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const t = useTranslations('webhooks')
  const { endpointId, url, type, subject, attempts, lastStatus, lastError } = delivery
  const time = (at: Date | null) => at && <DateTime time={at} exact />
  const word = (key: 'subject' | 'attempts' | 'lastAttemptAt' | 'nextAttemptAt' | 'createdAt') =>
    t(`deliveries.columns.${key}`)
  const facts = [
    {
      key: 'url',
      term: t('url'),
      value: (
        <Identifier value={url} name={t('url')} href={developerPaths.webhook({ id: endpointId })} whole />
      ),
    },
    { key: 'type', term: t('delivery.code'), value: <Raw>{type}</Raw> },
    {
      key: 'subject',
      term: word('subject'),
      value: subject && <Identifier value={subject} name={word('subject')} whole />,
    },
    { key: 'created', term: word('createdAt'), value: time(delivery.createdAt) },
    {
      key: 'attempts',
      term: word('attempts'),
      value: t('delivery.attemptsOf', { attempts, most: MOST_WEBHOOK_ATTEMPTS }),
    },
    { key: 'last', term: word('lastAttemptAt'), value: time(delivery.lastAttemptAt) },
    { key: 'next', term: word('nextAttemptAt'), value: time(delivery.nextAttemptAt) },
    { key: 'status', term: t('delivery.status'), value: lastStatus },
    ...(lastError ? [{ key: 'error', term: t('delivery.error'), value: <Raw>{lastError}</Raw> }] : []),
  ]
  return (
    <Panel title={t('facts')}>
      <DescriptionList items={facts.map((fact) => ({ ...fact, value: fact.value || null }))} wide />
    </Panel>
  )
}

/** A message word for word, to read and to copy; what stands there where there is none. */
function Message({ title, text, none }: { title: string; text: string | null; none: string }) {
  return (
    <Panel title={title} aside={text && <CopyButton text={text} name={title} />}>
      {text ? <RawBlock>{text}</RawBlock> : <p className={layout['note']}>{none}</p>}
    </Panel>
  )
}

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

function Messages({
  delivery: { headers, body, lastAnswer, lastAttemptAt },
}: {
  delivery: WebhookDeliveryDetail
}) {
  const t = useTranslations('webhooks.delivery')
  const isAnswered = lastAnswer !== null
  const noAnswer = isAnswered ? t('emptyAnswer') : lastAttemptAt ? t('noAnswer') : t('noAttempt')
  return (
    <>
      <Message title={t('headers')} text={headers && lines(headers)} none={t('noAttempt')} />
      <Message title={t('body')} text={body} none="" />
      <Message title={t('answer')} text={lastAnswer} none={noAnswer} />
    </>
  )
}

function Delivery({ id }: { id: string }) {
  const t = useTranslations('webhooks')
  const typeOf = useEventType()
  const query = useQuery({ ...useTRPC().webhooks.delivery.queryOptions({ id }), refetchInterval: WATCH_MS })
  return (
    <Loaded query={query}>
      {(delivery) => (
        <>
          <DetailHead
            back={{ href: developerPaths.webhook({ id: delivery.endpointId }), label: t('delivery.back') }}
            title={typeOf(delivery.type)}
            id={{ value: delivery.eventId, name: t('delivery.eventId'), whole: true }}
            state={<DeliveryBadge state={delivery.state} />}
            actions={<DirectAct of={sendAgain} input={{ id }} />}
          />
          <div className={layout['rows']}>
            <DeliveryFacts delivery={delivery} />
            <Messages delivery={delivery} />
          </div>
        </>
      )}
    </Loaded>
  )
}

/** One delivery: what was sent, what came back, and sending it again. */
export function DeliveryView({ id }: { id: string }) {
  const t = useTranslations('webhooks')
  const forbidden = useForbidden(permission)
  if (!forbidden) return <Delivery id={id} />
  return (
    <Panel>
      <BlankSlate level="h1" icon="key" title={t('forbiddenTitle')} hint={t('forbidden', forbidden)} />
    </Panel>
  )
}
