'use client'

import type { AuditEntry } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { BackLink, DetailColumns } from '../../ui/detail-page.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EmptyValue, Raw } from '../../ui/text.tsx'
import { RelatedCards } from '../related/customer-card.tsx'
import { RefundCards } from '../related/refund-card.tsx'
import styles from './audit.module.css'
import { pageOfEntry } from './entry-page.ts'
import { listChanges, useActionName, useSubjectName } from './entry-words.ts'

function Value({ text }: { text: string | null }) {
  return text === null ? <EmptyValue /> : <Raw>{text}</Raw>
}

function Changes({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('audit')
  const changes = listChanges(entry.before, entry.after)
  if (changes.length === 0) return <p>{t('noChanges')}</p>
  return (
    <table className={styles['changes']} aria-label={t('changes')}>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after, isChanged }) => (
          <tr key={field} data-changed={isChanged || undefined}>
            <th scope="row">
              <Raw>{field}</Raw>
            </th>
            <td>
              <Value text={before} />
            </td>
            <td>
              <Value text={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function EntryFacts({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('audit.columns')
  const roles = useTranslations('shell.roles')
  const subjectOf = useSubjectName()
  const href = pageOfEntry(entry)
  return (
    <DescriptionList
      wide
      items={[
        { key: 'at', term: t('at'), value: <DateTime time={entry.at} exact relative /> },
        {
          key: 'operator',
          term: t('operator'),
          value: `${entry.operatorEmail} · ${roles(entry.operatorRole)}`,
        },
        { key: 'code', term: t('code'), value: <Raw>{entry.action}</Raw> },
        {
          key: 'subject',
          term: t('subject'),
          value: (
            <Identifier value={entry.subjectId} name={subjectOf(entry.subjectType)} {...(href && { href })} />
          ),
        },
        { key: 'type', term: t('subjectType'), value: subjectOf(entry.subjectType) },
        { key: 'address', term: t('address'), value: entry.address },
        {
          key: 'request',
          term: t('requestId'),
          value: <Identifier value={entry.requestId} name={t('requestId')} />,
        },
      ]}
    />
  )
}

/** Whom the act was about, where that is a person, their order or a refund of it. */
function About({ entry: { subjectType, subjectId } }: { entry: AuditEntry }) {
  if (subjectType === 'refund') return <RefundCards outRefundNo={subjectId} />
  if (subjectType === 'order') return <RelatedCards of={{ outTradeNo: subjectId }} />
  return subjectType === 'user' || subjectType === 'subscription' ? (
    <RelatedCards of={{ userId: subjectId }} />
  ) : null
}

/** One act: who, when, from where, and what it changed. */
export function AuditEntryView({ id }: { id: string }) {
  const t = useTranslations('audit')
  const nameOf = useActionName()
  const query = useQuery(useTRPC().audit.detail.queryOptions({ id }))
  return (
    <Loaded query={query}>
      {(entry) => (
        <>
          <PageHeader
            title={nameOf(entry.action)}
            before={<BackLink href={paths.audit()}>{t('back')}</BackLink>}
          />
          <DetailColumns
            aside={
              <>
                <Panel title={t('facts')}>
                  <EntryFacts entry={entry} />
                </Panel>
                <About entry={entry} />
              </>
            }
          >
            <Panel title={t('changes')}>
              <Changes entry={entry} />
            </Panel>
          </DetailColumns>
        </>
      )}
    </Loaded>
  )
}
