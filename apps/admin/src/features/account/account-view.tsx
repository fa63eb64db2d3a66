'use client'

import type { OwnAccount } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatTime } from '../../format.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useClock } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { SessionsPanel } from '../session/session-table.tsx'
import styles from './account.module.css'

const RenewedCodes = dynamic(
  () => import('../session/second-factor.tsx').then((module) => module.RenewedCodes),
  {
    ssr: false,
  },
)

/** Why a new second factor does not prove who they are yet, until when, and who can change that. */
function FactorNotice({ account: { factorTrustedFrom, confirmers } }: { account: OwnAccount }) {
  const t = useTranslations('account.factor')
  const now = useClock()
  if (!factorTrustedFrom || factorTrustedFrom <= now) return null
  const owners = confirmers.length === 0 ? 'none' : confirmers.join(', ')
  return (
    <Notice tone="wait" icon="clock">
      {t('disabledReason', { time: formatTime(factorTrustedFrom), owners })}
    </Notice>
  )
}

function Factor({ account }: { account: OwnAccount }) {
  const t = useTranslations('account.factor')
  const refresh = { invalidates: ['operator'], refreshesOnFailure: ['operator'] } as const
  const [codes, setCodes] = useState<string[] | null>(null)
  const renew = useAct({
    call: (api) => () => api.operator.renewRecoveryCodes.mutate(),
    after: ({ recoveryCodes }) => setCodes(recoveryCodes),
    ...refresh,
  })
  const giveUp = useAct({
    call: (api) => () => api.operator.giveUpSecondFactor.mutate(),
    done: () => t('givenUp'),
    ...refresh,
  })
  const { enrolled, required, unusedRecoveryCodes } = account
  return (
    <Panel title={t('title')}>
      <div className={styles['stack']}>
        <p className={styles['line']}>
          <Badge tone={enrolled ? 'ok' : 'wait'} icon={enrolled ? 'shield' : 'alert'}>
            {enrolled ? t('on') : t('off')}
          </Badge>
          {enrolled ? t('codesLeft', { count: unusedRecoveryCodes }) : t('offHint')}
        </p>
        <FactorNotice account={account} />
        <div className={styles['line']}>
          <Link href={paths.secondFactor()} prefetch={false}>
            {enrolled ? t('replace') : t('setUp')}
          </Link>
          {enrolled && (
            <Button loading={renew.busy} onClick={() => renew.press(null)}>
              {t('renew')}
            </Button>
          )}
          {enrolled && !required && (
            <Button loading={giveUp.busy} onClick={() => giveUp.press(null)}>
              {t('giveUp')}
            </Button>
          )}
        </div>
      </div>
      {codes && <RenewedCodes codes={codes} onClose={() => setCodes(null)} />}
    </Panel>
  )
}

function Identity({ account: { operator } }: { account: OwnAccount }) {
  const t = useTranslations('account')
  const roles = useTranslations('shell.roles')
  return (
    <Panel title={t('identity')}>
      <div className={styles['stack']}>
        <DescriptionList
          items={[
            { key: 'email', term: t('email'), value: operator.email },
            { key: 'name', term: t('name'), value: operator.name },
            { key: 'role', term: t('role'), value: roles(operator.role) },
          ]}
        />
        <Link href={paths.newPassword()} prefetch={false} className={styles['line']}>
          <Icon name="key" />
          {t('changePassword')}
        </Link>
      </div>
    </Panel>
  )
}

/** What an operator keeps in order for themselves. */
export function AccountView() {
  const t = useTranslations('account')
  const query = useQuery(useTRPC().operator.account.queryOptions())
  return (
    <Loaded query={query} skeleton={<ListSkeleton title={t('title')} />}>
      {(account) => (
        <>
          <PageHeader title={t('title')} />
          <div className={styles['stack']}>
            <Identity account={account} />
            <Factor account={account} />
            <SessionsPanel sessions={account.sessions} noun="operator" />
          </div>
        </>
      )}
    </Loaded>
  )
}
