'use client'

import type { AlertRow } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import type { ResolvedProps } from './alert-dialogs.tsx'
import { type Decidable, isLate } from './decidable.ts'

const dialogs = () => import('./alert-dialogs.tsx')
const ResolveDialog = dynamic(() => dialogs().then((module) => module.ResolveDialog), { ssr: false })
const DecideDialog = dynamic(() => dialogs().then((module) => module.DecideDialog), { ssr: false })

/** Makes the alert the operator's own. */
export const takeAlert = defineAct(() => useTranslations('alerts'), {
  icon: 'inbox',
  permission: 'alert.resolve',
  words: (t) => ({ label: t('take'), hint: t('takeHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({ call: (api) => api.alert.take.mutate, invalidates: ['alert'], done: () => t('taken') }),
})

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

/** Opens the decision; a late payment is for finance, anything else for whoever looks after parked orders. */
export function DecideOrder({ order, quiet = false }: { order: Decidable; quiet?: boolean }) {
  const t = useTranslations('alerts')
  return (
    <ActButton
      icon="check"
      quiet={quiet}
      label={t('decide')}
      hint={t('decideHint')}
      permission={isLate(order) ? 'order.decide_late' : 'order.decide'}
      forbidden={(who) => t('decideForbidden', who)}
      dialog={(close) => <DecideDialog order={order} onClose={close} />}
    />
  )
}
