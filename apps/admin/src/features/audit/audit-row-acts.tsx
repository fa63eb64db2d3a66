import { type AuditRow, mayOperator } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { RowLink } from '../../kit/list/row-link.tsx'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { CopyButton } from '../../ui/identifier.tsx'
import { OrderLink, SubscriptionLink, UserLink } from '../related/row-links.tsx'
import { pageOfEntry } from './entry-page.ts'

/** From an entry to what it is about: a person and their days by their own signs, anything else that has a page by one. */
function SubjectLinks({ entry }: { entry: AuditRow }) {
  const t = useTranslations('audit')
  const { subjectType, subjectId } = entry
  if (subjectType === 'order') return <OrderLink outTradeNo={subjectId} />
  if (subjectType === 'user' || subjectType === 'subscription')
    return (
      <>
        <SubscriptionLink userId={subjectId} />
        <UserLink userId={subjectId} />
      </>
    )
  const href = pageOfEntry(entry)
  return href && <RowLink href={href} icon="scroll" label={t('openSubject')} />
}

/** What may be done with an entry: open what it is about and who did it, and copy what an engineer finds it by. */
export function AuditRowActs({ entry }: { entry: AuditRow }) {
  const t = useTranslations('audit')
  const { role } = useConsole().operator
  return (
    <>
      <SubjectLinks entry={entry} />
      {mayOperator(role, 'operator.manage') && (
        <RowLink href={paths.staffMember({ id: entry.operatorId })} icon="users" label={t('openOperator')} />
      )}
      <CopyButton text={entry.requestId} name={t('columns.requestId')} />
    </>
  )
}
