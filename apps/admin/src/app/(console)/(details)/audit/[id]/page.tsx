import { AuditReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { AuditEntryView } from '../../../../../features/audit/audit-entry-view.tsx'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata() {
  const t = await getTranslations('audit')
  return { title: t('entryTitle') }
}

export default async function AuditEntryPage({ params }: Props) {
  const reference = await referenceOf(AuditReference, params)
  return (
    <ConsolePage
      nouns={['audit']}
      reads={({ trpc, fetch }) => [fetch(trpc.audit.detail.queryOptions(reference))]}
    >
      <AuditEntryView id={reference.id} />
    </ConsolePage>
  )
}
