'use client'

import type { StaffDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { DetailColumns, DetailHead } from '../../ui/detail-page.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SessionsPanel } from '../session/session-table.tsx'
import { StaffActs } from './staff-acts.tsx'
import { FactorBadge, StaffBadge } from './staff-badge.tsx'

function StaffFacts({ member }: { member: StaffDetail }) {
  const t = useTranslations('staff')
  const roles = useTranslations('shell.roles')
  const { lastSeenAt } = member
  return (
    <Panel title={t('facts')}>
      <DescriptionList
        items={[
          { key: 'name', term: t('columns.name'), value: member.name },
          { key: 'role', term: t('columns.role'), value: roles(member.role) },
          { key: 'created', term: t('createdAt'), value: <DateTime time={member.createdAt} /> },
          { key: 'seen', term: t('columns.lastSeenAt'), value: lastSeenAt && <DateTime time={lastSeenAt} /> },
        ]}
      />
    </Panel>
  )
}

/** How they prove who they are. */
function StaffSecurity({ member }: { member: StaffDetail }) {
  const t = useTranslations('staff')
  const { passwordExpiresAt, enrolled, unusedRecoveryCodes, bound } = member
  return (
    <Panel title={t('security')}>
      <DescriptionList
        wide
        items={[
          { key: 'factor', term: t('columns.factor'), value: <FactorBadge member={member} /> },
          { key: 'codes', term: t('unusedRecoveryCodes'), value: enrolled ? unusedRecoveryCodes : null },
          { key: 'company', term: t('company'), value: bound ? t('bound') : null },
          {
            key: 'password',
            term: t('passwordExpiresAt'),
            value: passwordExpiresAt && <DateTime time={passwordExpiresAt} />,
          },
        ]}
      />
    </Panel>
  )
}

function Member({ operatorId }: { operatorId: string }) {
  const t = useTranslations('staff')
  const query = useQuery(useTRPC().staff.detail.queryOptions({ operatorId }))
  return (
    <Loaded query={query}>
      {(member) => (
        <>
          <DetailHead
            back={{ href: paths.staff(), label: t('back') }}
            title={member.name || member.email}
            id={{ value: member.email, name: t('columns.email'), whole: true }}
            state={<StaffBadge member={member} />}
            actions={<StaffActs member={member} />}
          />
          <DetailColumns
            aside={
              <>
                <StaffSecurity member={member} />
                <Panel title={t('acts.title')}>
                  <Link href={paths.audit({ operator: member.email })}>{t('actsLink')}</Link>
                </Panel>
              </>
            }
          >
            <StaffFacts member={member} />
            <SessionsPanel sessions={member.sessions} noun="staff" />
          </DetailColumns>
        </>
      )}
    </Loaded>
  )
}

/** One of those who work with the console, for who may look after them. */
export function MemberView({ operatorId }: { operatorId: string }) {
  const t = useTranslations('staff')
  const forbidden = useForbidden('operator.manage')
  if (!forbidden) return <Member operatorId={operatorId} />
  return (
    <Panel>
      <BlankSlate level="h1" icon="key" title={t('forbiddenTitle')} hint={t('forbidden', forbidden)} />
    </Panel>
  )
}
