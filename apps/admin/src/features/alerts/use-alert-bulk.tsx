'use client'

import type { AlertRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import type { Bulk } from '../../kit/list/list-table.tsx'
import { BulkButton, useBulkAct } from '../../kit/list/use-bulk-act.tsx'
import { useForbidden } from '../../session/use-forbidden.ts'
import { WordDialog } from './alert-acts.tsx'
import { useAlertKind } from './alert-words.ts'

function BulkActs({ take, resolve }: { take: () => void; resolve: () => void }) {
  const t = useTranslations('alerts')
  const forbidden = useForbidden('alert.resolve')
  const disabledReason = forbidden && t('forbidden', forbidden)
  return (
    <>
      <BulkButton icon="inbox" hint={t('bulkTakeLead')} disabledReason={disabledReason} onPress={take}>
        {t('take')}
      </BulkButton>
      <BulkButton icon="check" hint={t('bulkResolveLead')} disabledReason={disabledReason} onPress={resolve}>
        {t('resolve')}
      </BulkButton>
    </>
  )
}

/** Takes or resolves alerts one after the other; what they are together is read anew when the dialog is closed. */
function useAlertRuns() {
  const t = useTranslations('alerts')
  const changes = useTRPC().alert.pathFilter()
  const kindOf = useAlertKind()
  const take = useAct({ call: (api) => api.alert.take.mutate, invalidates: [] })
  const resolve = useAct({ call: (api) => api.alert.resolve.mutate, invalidates: [] })
  const taking = useBulkAct({
    title: (count) => t('bulkTakeTitle', { count }),
    lead: t('bulkTakeLead'),
    changes,
  })
  const resolving = useBulkAct({
    title: (count) => t('bulkResolveTitle', { count }),
    lead: t('bulkResolveLead'),
    changes,
  })
  const itemsOf = (alerts: readonly AlertRow[]) =>
    alerts.map(({ id, kind, subject }) => ({ key: id, label: `${kindOf(kind)} · ${subject}` }))
  return {
    takeAll: (alerts: readonly AlertRow[]) =>
      void taking.start(itemsOf(alerts), async (id) => {
        await take.step({ id })
        return t('taken')
      }),
    resolveAll: (alerts: readonly AlertRow[], resolution: string) =>
      void resolving.start(itemsOf(alerts), async (id) => {
        await resolve.step({ id, resolution })
        return t('resolved')
      }),
    dialogs: (
      <>
        {taking.dialog}
        {resolving.dialog}
      </>
    ),
  }
}

/** What may be done with several alerts at once, and the dialogs that belong to it. */
export function useAlertBulk(): Bulk<AlertRow> {
  const t = useTranslations('alerts')
  const { takeAll, resolveAll, dialogs } = useAlertRuns()
  const [wanted, setWanted] = useState<readonly AlertRow[] | null>(null)
  const resolveWanted = ({ resolution }: { resolution: string }) => {
    setWanted(null)
    if (wanted) resolveAll(wanted, resolution)
  }
  return {
    bulk: (alerts) => <BulkActs take={() => takeAll(alerts)} resolve={() => setWanted(alerts)} />,
    dialog: (
      <>
        {wanted && (
          <WordDialog
            title={t('bulkResolveTitle', { count: wanted.length })}
            lead={t('bulkResolveLead')}
            act={{ run: resolveWanted, busy: false, failure: null }}
            onClose={() => setWanted(null)}
          />
        )}
        {dialogs}
      </>
    ),
  }
}
