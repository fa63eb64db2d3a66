'use client'

import type { AlertRow } from '@meridian/contracts'
import { useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import type { Bulk } from '../../kit/list/list-table.tsx'
import { useBulkRun } from '../../kit/list/use-bulk-run.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { WordDialog } from './alert-acts.tsx'
import { useAlertKind } from './alert-words.ts'

const BulkDialog = dynamic(
  () => import('../../kit/list/bulk-dialog.tsx').then((module) => module.BulkDialog),
  {
    ssr: false,
  },
)

function BulkActs({ take, resolve }: { take: () => void; resolve: () => void }) {
  const t = useTranslations('alerts')
  const forbidden = useForbidden('alert.resolve')
  const reason = forbidden && t('forbidden', forbidden)
  return (
    <>
      <ActionButton
        icon={<Icon name="inbox" />}
        busy={false}
        hint={t('bulkTakeLead')}
        disabledReason={reason}
        onPress={take}
      >
        {t('take')}
      </ActionButton>
      <ActionButton
        icon={<Icon name="check" />}
        busy={false}
        hint={t('bulkResolveLead')}
        disabledReason={reason}
        onPress={resolve}
      >
        {t('resolve')}
      </ActionButton>
    </>
  )
}

/** Takes or resolves alerts one after the other; what they are together is read anew when the dialog is closed. */
function useAlertRun() {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const kindOf = useAlertKind()
  const run = useBulkRun()
  const [act, setAct] = useState<'take' | 'resolve'>('take')
  const take = useAct({ call: (api) => api.alert.take.mutate, invalidates: [] })
  const resolve = useAct({ call: (api) => api.alert.resolve.mutate, invalidates: [] })
  const itemsOf = (alerts: readonly AlertRow[]) =>
    alerts.map(({ id, kind, subject }) => ({ key: id, label: `${kindOf(kind)} · ${subject}` }))
  const takeAll = (alerts: readonly AlertRow[]) => {
    setAct('take')
    void run.start(itemsOf(alerts), async (id) => {
      await take.step({ id })
      return t('taken')
    })
  }
  const resolveAll = (alerts: readonly AlertRow[], resolution: string) => {
    setAct('resolve')
    void run.start(itemsOf(alerts), async (id) => {
      await resolve.step({ id, resolution })
      return t('resolved')
    })
  }
  const close = () => {
    run.forget()
    void queryClient.invalidateQueries(trpc.alert.pathFilter())
  }
  return { lines: run.lines, stop: run.stop, act, takeAll, resolveAll, close }
}

/** What may be done with several alerts at once, and the dialogs that belong to it. */
export function useAlertBulk(): Bulk<AlertRow> {
  const t = useTranslations('alerts')
  const { lines, stop, act, takeAll, resolveAll, close } = useAlertRun()
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
        {lines && (
          <BulkDialog
            title={t(act === 'take' ? 'bulkTakeTitle' : 'bulkResolveTitle', { count: lines.length })}
            lead={t(act === 'take' ? 'bulkTakeLead' : 'bulkResolveLead')}
            lines={lines}
            onStop={stop}
            onClose={close}
          />
        )}
      </>
    ),
  }
}
