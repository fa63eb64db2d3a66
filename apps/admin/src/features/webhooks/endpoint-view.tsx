'use client'

import type { WebhookEndpointRow } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { developerPaths } from '../../developer-paths.ts'
import { DialogAct, DirectAct } from '../../kit/act/define-act.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { useForbidden } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { DetailHead } from '../../ui/detail-page.tsx'
import layout from '../../ui/layout.module.css'
import { Panel } from '../../ui/panel.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import {
  disableWebhook,
  editWebhook,
  enableWebhook,
  permission,
  removeWebhook,
  rotateSecret,
  sendTest,
} from './webhook-acts.tsx'
import { isOn, WATCH_MS } from './webhook-state.ts'
import { EndpointBadge, TypeWords } from './webhook-words.tsx'

function EndpointActs({ endpoint }: { endpoint: WebhookEndpointRow }) {
  const t = useTranslations('webhooks')
  const { replace } = useRouter()
  const { id } = endpoint
  const on = isOn(endpoint)
  return (
    <span className={layout['acts']}>
      <DirectAct of={sendTest} input={{ id }} obstacle={on ? null : t('testOff')} />
      <DialogAct of={editWebhook} endpoint={endpoint} quiet />
      <DialogAct of={rotateSecret} endpoint={endpoint} quiet />
      {on ? (
        <DialogAct of={disableWebhook} endpoint={endpoint} quiet />
      ) : (
        <DirectAct of={enableWebhook} input={{ id, enabled: true }} quiet />
      )}
      <DialogAct
        of={removeWebhook}
        endpoint={endpoint}
        onRemoved={() => replace(developerPaths.webhooks())}
        quiet
      />
    </span>
  )
}

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpointRow }) {
  const t = useTranslations('webhooks')
  const { types, waiting, lastSuccessAt, failingSince, previousSecretUntil, createdAt, createdBy } = endpoint
  const time = (at: Date | null) => at && <DateTime time={at} />
  const facts = [
    { key: 'types', term: t('columns.types'), value: <TypeWords types={types} /> },
    { key: 'waiting', term: t('columns.waiting'), value: waiting },
    { key: 'success', term: t('columns.lastSuccessAt'), value: time(lastSuccessAt) },
    ...(failingSince ? [{ key: 'failing', term: t('failingSince'), value: time(failingSince) }] : []),
    ...(previousSecretUntil
      ? [{ key: 'previous', term: t('previousSecretUntil'), value: time(previousSecretUntil) }]
      : []),
    { key: 'created', term: t('columns.createdAt'), value: time(createdAt) },
    { key: 'by', term: t('columns.createdBy'), value: createdBy },
  ]
  return (
    <Panel title={t('facts')}>
      <DescriptionList items={facts} />
    </Panel>
  )
}

function Endpoint({ id }: { id: string }) {
  const t = useTranslations('webhooks')
  const query = useQuery({ ...useTRPC().webhooks.get.queryOptions({ id }), refetchInterval: WATCH_MS })
  return (
    <Loaded query={query}>
      {(endpoint) => (
        <>
          <DetailHead
            back={{ href: developerPaths.webhooks(), label: t('back') }}
            title={endpoint.description}
            id={{ value: endpoint.url, name: t('url'), whole: true }}
            state={<EndpointBadge state={endpoint.state} />}
            actions={<EndpointActs endpoint={endpoint} />}
          />
          <div className={layout['rows']}>
            <EndpointFacts endpoint={endpoint} />
            <section aria-label={t('deliveries.title')}>
              <Panel>
                <DeliveryTable endpointId={id} />
              </Panel>
            </section>
          </div>
        </>
      )}
    </Loaded>
  )
}

/** One endpoint and what is sent to it, for who looks after them. */
export function EndpointView({ id }: { id: string }) {
  const t = useTranslations('webhooks')
  const forbidden = useForbidden(permission)
  if (!forbidden) return <Endpoint id={id} />
  return (
    <Panel>
      <BlankSlate level="h1" icon="key" title={t('forbiddenTitle')} hint={t('forbidden', forbidden)} />
    </Panel>
  )
}
