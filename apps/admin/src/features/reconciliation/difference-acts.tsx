'use client'

import { type Difference, DifferenceResolution } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import layout from '../../ui/layout.module.css'

type DifferenceProps = { difference: Difference }

/** Says how a difference ended. */
function ResolveDialog({ difference: { id, kind }, onClose }: DifferenceProps & { onClose: () => void }) {
  const t = useTranslations('reconciliation')
  const resolve = useAct({
    call: (api) => api.reconciliation.resolve.mutate,
    invalidates: ['reconciliation'],
    done: () => t('resolved'),
  })
  return (
    <FormDialog
      title={t('resolveTitle', { kind: t(`kinds.${kind}`) })}
      lead={t('resolveLead')}
      submitLabel={t('resolve')}
      schema={DifferenceResolution}
      start={{ id, resolution: '' }}
      incomplete={t('wordNeeded')}
      fields={[{ kind: 'text', name: 'resolution', label: t('word'), hint: t('wordHint'), rows: 3 }]}
      act={resolve}
      onClose={onClose}
    />
  )
}

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
