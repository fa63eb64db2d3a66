'use client'

import { type AlertRow, ResolveAlert as ResolvedAlert } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
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
export function TakeAlert({ id }: { id: string }) {
  const t = useTranslations('alerts')
  const take = useAct({
    call: (api) => api.alert.take.mutate,
    invalidates: ['alert'],
    done: () => t('taken'),
  })
  return (
    <ActButton
      icon="inbox"
      label={t('take')}
      hint={t('takeHint')}
      quiet
      permission="alert.resolve"
      forbidden={(who) => t('forbidden', who)}
      act={take}
      input={{ id }}
    />
  )
}

/** Says in a note how the alert ended. */
export function ResolveAlert({ id, kind, quiet }: { id: string; kind: string; quiet: boolean }) {
  const t = useTranslations('alerts')
  const resolve = useAct({
    call:
      (api) =>
      ({ resolution }: { resolution: string }) =>
        api.alert.resolve.mutate({ id, resolution }),
    invalidates: ['alert'],
    done: () => t('resolved'),
  })
  const words = { title: t('resolveTitle', { kind }), lead: t('resolveLead') }
  return (
    <ActButton
      icon="check"
      label={t('resolve')}
      hint={t('resolveHint')}
      quiet={quiet}
      permission="alert.resolve"
      forbidden={(who) => t('forbidden', who)}
      onOpen={resolve.reset}
      dialog={(close) => <WordDialog {...words} act={resolve} onClose={close} />}
    />
  )
}

/** The one next step of a row: somebody takes it, then whoever has it says how it ended. */
export function AlertRowAct({ alert: { id, ownerEmail }, kind }: { alert: AlertRow; kind: string }) {
  return ownerEmail === null ? <TakeAlert id={id} /> : <ResolveAlert id={id} kind={kind} quiet />
}
