'use client'

import type { CockpitKey, KeyCockpit } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded, Permitted } from '../../kit/page/page-content.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StaleNotice } from '../../ui/stale-notice.tsx'
import { CertificateEnd, DaysLeftBadge } from './certificate-end.tsx'
import styles from './keys.module.css'

/** The platform refuses requests that are five minutes off; a minute is worth a look. */
const NOTABLE_SKEW_MS = 60_000

function DaysLeft({ daysLeft, expiresAt }: Pick<CockpitKey, 'daysLeft' | 'expiresAt'>) {
  const t = useTranslations('keys')
  if (daysLeft === null || !expiresAt) return t('noEnd')
  return (
    <span className={`${layout['lines']} ${layout['start']}`}>
      <DaysLeftBadge daysLeft={daysLeft} />
      <DateTime time={expiresAt} />
    </span>
  )
}

function LastUse({ platformKey: { lastUsedAt, uses } }: { platformKey: CockpitKey }) {
  const t = useTranslations('keys')
  if (!lastUsedAt) return t('neverUsed')
  return (
    <span className={`${layout['lines']} ${layout['start']}`}>
      <DateTime time={lastUsedAt} relative />
      <span className={styles['note']}>{t('uses', { count: uses })}</span>
    </span>
  )
}

function KeyTable({ keys }: { keys: readonly CockpitKey[] }) {
  const t = useTranslations('keys')
  const column = columnsOf(t)
  const id = ({ id, kind, source }: CockpitKey) => (
    <span className={`${layout['lines']} ${layout['start']}`}>
      <Identifier value={id} name={t('id')} />
      <span className={styles['note']}>
        {t(`kinds.${kind}`)} · {t(`sources.${source}`)}
      </span>
    </span>
  )
  const columns: Column<CockpitKey>[] = [
    column.cell('id', id),
    column.cell('verifies', () => t('verifiesWhat')),
    column.id('fingerprint', ({ fingerprint }) => fingerprint),
    column.cell('validity', (key) => <DaysLeft {...key} />),
    column.cell('lastUsed', (key) => <LastUse platformKey={key} />),
  ]
  return (
    <PlainTable
      caption={t('platformKeys')}
      rows={keys}
      rowKey={({ id }) => id}
      empty={t('noKeys')}
      columns={columns}
    />
  )
}

function PlatformKeys({ cockpit }: { cockpit: KeyCockpit }) {
  const t = useTranslations('keys')
  const { platformKeys, downloadKeys, refreshedAt } = cockpit
  return (
    <Panel title={t('platformKeys')}>
      <p className={styles['lead']}>
        {t(downloadKeys ? 'downloaded' : 'fromSettings')}
        {refreshedAt && (
          <>
            {' '}
            <DateTime time={refreshedAt} relative />
          </>
        )}
      </p>
      <KeyTable keys={platformKeys} />
    </Panel>
  )
}

function Merchant({ cockpit: { merchant } }: { cockpit: KeyCockpit }) {
  const t = useTranslations('keys')
  if (!merchant) return <p className={styles['lead']}>{t('noMerchant')}</p>
  const facts = [
    { key: 'mchId', term: t('mchId'), value: <Identifier value={merchant.mchId} name={t('mchId')} whole /> },
    { key: 'appId', term: t('appId'), value: <Identifier value={merchant.appId} name={t('appId')} whole /> },
    {
      key: 'serial',
      term: t('merchantSerial'),
      value: <Identifier value={merchant.merchantSerialNo} name={t('merchantSerial')} />,
    },
    { key: 'end', term: t('certificateEnd'), value: <CertificateEnd merchant={merchant} /> },
    { key: 'v3', term: t('apiV3Keys'), value: t('apiV3Count', { count: merchant.apiV3Keys }) },
    { key: 'host', term: t('platformHost'), value: merchant.platformHost },
    { key: 'notify', term: t('notifyUrl'), value: merchant.notifyUrl },
  ]
  return <DescriptionList items={facts} wide />
}

function Virtual({ cockpit: { virtual } }: { cockpit: KeyCockpit }) {
  const t = useTranslations('keys')
  if (!virtual) return <p className={styles['lead']}>{t('noVirtual')}</p>
  const { appId, offerId, env, platformHost, pushPath, lastPushAt } = virtual
  const facts = [
    { key: 'offerId', term: t('offerId'), value: <Identifier value={offerId} name={t('offerId')} whole /> },
    { key: 'appId', term: t('appId'), value: <Identifier value={appId} name={t('appId')} whole /> },
    {
      key: 'env',
      term: t('env'),
      value: <Badge tone={env === 0 ? 'ok' : 'wait'}>{t(env === 0 ? 'envs.live' : 'envs.sandbox')}</Badge>,
    },
    { key: 'secrets', term: t('secrets'), value: t('secretsSet') },
    { key: 'host', term: t('platformHost'), value: platformHost },
    { key: 'push', term: t('pushPath'), value: <Identifier value={pushPath} name={t('pushPath')} whole /> },
    {
      key: 'lastPush',
      term: t('lastPush'),
      value: lastPushAt ? <DateTime time={lastPushAt} exact relative /> : t('noPush'),
    },
  ]
  return <DescriptionList items={facts} wide />
}

/** What each channel is configured with: names and addresses, never a key of ours. */
function OwnKeys({ cockpit }: { cockpit: KeyCockpit }) {
  const t = useTranslations('keys')
  const login = { key: 'login', term: t('login'), value: t(cockpit.loginConfigured ? 'loginOn' : 'loginOff') }
  return (
    <>
      <Panel title={t('ownKeys')}>
        <Merchant cockpit={cockpit} />
      </Panel>
      <Panel title={t('virtual')}>
        <Virtual cockpit={cockpit} />
      </Panel>
      <Panel title={t('miniProgram')}>
        <DescriptionList items={[login]} wide />
      </Panel>
    </>
  )
}

/** How far our clock is from the platform's: it refuses what is five minutes off. */
function Clock({ skewMs }: { skewMs: number | null }) {
  const t = useTranslations('keys')
  if (skewMs === null)
    return (
      <Notice tone="info" icon="clock">
        {t('skewUnknown')}
      </Notice>
    )
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  const way = skewMs > 0 ? 'skewAhead' : 'skewBehind'
  return (
    <Notice tone={Math.abs(skewMs) >= NOTABLE_SKEW_MS ? 'bad' : 'info'} icon="clock">
      {seconds === 0 ? t('skewNone') : t(way, { seconds })}
    </Notice>
  )
}

function Cockpit() {
  const cockpit = useQuery(useTRPC().key.cockpit.queryOptions())
  return (
    <Loaded query={cockpit} skeleton={<Skeleton height={320} />}>
      {(read) => (
        <>
          <StaleNotice of={cockpit} />
          <div className={layout['rows']}>
            {read.merchant && (
              <>
                <Clock skewMs={read.clockSkewMs} />
                <PlatformKeys cockpit={read} />
              </>
            )}
            <OwnKeys cockpit={read} />
          </div>
        </>
      )}
    </Loaded>
  )
}

/** Which keys verify what, and how long they will; never a key of ours. */
export function KeysView() {
  const t = useTranslations('keys')
  return (
    <>
      <PageHeader title={t('title')} />
      <Permitted to="key.read" icon="key" title={t('forbiddenTitle')} why={(who) => t('forbidden', who)}>
        <Cockpit />
      </Permitted>
    </>
  )
}
