'use client'

import { NamesReveal } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { useNamesSwitched } from './use-names-switched.ts'

/** Asks why the names of users are shown; what is typed goes to the audit log. */
export function RevealNamesDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shell.names')
  const ui = useTranslations('ui')
  const reveal = useAct({
    call: (api) => api.operator.revealNames.mutate,
    done: () => t('shown'),
    ...useNamesSwitched(),
  })
  return (
    <FormDialog
      title={t('show')}
      lead={t('lead')}
      submitLabel={t('show')}
      schema={NamesReveal}
      start={{ reason: '' }}
      act={reveal}
      incomplete={ui('reasonNeeded')}
      fields={[{ kind: 'text', name: 'reason', label: ui('reason'), hint: ui('reasonHint'), rows: 2 }]}
      onClose={onClose}
    />
  )
}
