'use client'

import type { Difference } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import layout from '../../ui/layout.module.css'

const ResolveDialog = dynamic(
  () => import('./reconciliation-dialogs.tsx').then((module) => module.ResolveDialog),
  { ssr: false },
)

type DifferenceProps = { difference: Difference }

const useWords = () => useTranslations('reconciliation')

const takeDifference = defineAct(useWords, {
  icon: 'inbox',
  permission: 'reconciliation.resolve',
  words: (t) => ({ label: t('take'), hint: t('takeHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.reconciliation.take.mutate,
    invalidates: ['reconciliation'],
    done: () => t('taken'),
  }),
})

const resolveDifference = defineDialogAct(useWords, {
  icon: 'check',
  permission: 'reconciliation.resolve',
  words: (t) => ({ label: t('resolve'), hint: t('resolveHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ difference }: DifferenceProps, close) => (
    <ResolveDialog difference={difference} onClose={close} />
  ),
})

/** Take it, or say how it ended. */
export function DifferenceActs({ difference }: DifferenceProps) {
  return (
    <span className={layout['acts']}>
      <DirectAct of={takeDifference} quiet input={{ id: difference.id }} />
      <DialogAct of={resolveDifference} quiet difference={difference} />
    </span>
  )
}
