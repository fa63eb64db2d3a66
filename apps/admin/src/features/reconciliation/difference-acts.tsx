'use client'

import { type Difference, DifferenceResolution } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import type { Forbidden } from '../../session/use-forbidden.ts'
import styles from './reconciliation.module.css'

/** Says how a difference ended. */
function ResolveDialog({
  difference: { id, kind },
  onClose,
}: {
  difference: Difference
  onClose: () => void
}) {
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

/** Take it, or say how it ended. */
export function DifferenceActs({ difference }: { difference: Difference }) {
  const t = useTranslations('reconciliation')
  const take = useAct({
    call: (api) => api.reconciliation.take.mutate,
    invalidates: ['reconciliation'],
    done: () => t('taken'),
  })
  const guard = {
    quiet: true,
    permission: 'reconciliation.resolve',
    forbidden: (who: Forbidden) => t('forbidden', who),
  } as const
  return (
    <span className={styles['acts']}>
      <ActButton
        {...guard}
        icon="inbox"
        label={t('take')}
        hint={t('takeHint')}
        act={take}
        input={{ id: difference.id }}
      />
      <ActButton
        {...guard}
        icon="check"
        label={t('resolve')}
        hint={t('resolveHint')}
        dialog={(close) => <ResolveDialog difference={difference} onClose={close} />}
      />
    </span>
  )
}
