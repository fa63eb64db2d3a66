'use client'

import { type AlertRow, ResolveAlert as ResolvedAlert } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { type Act, useAct } from '../../kit/act/use-act.ts'

const Resolution = ResolvedAlert.pick({ resolution: true })

type WordDialogProps = {
  title: string
  lead: string
  act: Pick<Act<{ resolution: string }>, 'run' | 'busy' | 'failure'>
  onClose: () => void
}

/** How it ended, in a word. */
export function WordDialog(props: WordDialogProps) {
  const t = useTranslations('alerts')
  return (
    <FormDialog
      {...props}
      submitLabel={t('resolve')}
      schema={Resolution}
      start={{ resolution: '' }}
      incomplete={t('noteNeeded')}
      fields={[{ kind: 'text', name: 'resolution', label: t('word'), hint: t('wordHint'), rows: 3 }]}
    />
  )
}

/** Makes the alert the operator's own. */
export const takeAlert = defineAct(() => useTranslations('alerts'), {
  icon: 'inbox',
  permission: 'alert.resolve',
  words: (t) => ({ label: t('take'), hint: t('takeHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({ call: (api) => api.alert.take.mutate, invalidates: ['alert'], done: () => t('taken') }),
})

type ResolvedProps = { id: string; kind: string }

function ResolveDialog({ id, kind, onClose }: ResolvedProps & { onClose: () => void }) {
  const t = useTranslations('alerts')
  const resolve = useAct({
    call:
      (api) =>
      ({ resolution }: { resolution: string }) =>
        api.alert.resolve.mutate({ id, resolution }),
    invalidates: ['alert'],
    done: () => t('resolved'),
  })
  return (
    <WordDialog title={t('resolveTitle', { kind })} lead={t('resolveLead')} act={resolve} onClose={onClose} />
  )
}

/** Says in a note how the alert ended. */
export const resolveAlert = defineDialogAct(() => useTranslations('alerts'), {
  icon: 'check',
  permission: 'alert.resolve',
  words: (t) => ({ label: t('resolve'), hint: t('resolveHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ id, kind }: ResolvedProps, close) => <ResolveDialog id={id} kind={kind} onClose={close} />,
})

/** The one next step of a row: somebody takes it, then whoever has it says how it ended. */
export function AlertRowAct({ alert: { id, ownerEmail }, kind }: { alert: AlertRow; kind: string }) {
  return ownerEmail === null ? (
    <DirectAct of={takeAlert} quiet input={{ id }} />
  ) : (
    <DialogAct of={resolveAlert} id={id} kind={kind} quiet />
  )
}
