'use client'

import { useTranslations } from 'next-intl'
import { useForbidden } from '../../session/use-forbidden.ts'
import { TextField } from '../../ui/text-field.tsx'
import styles from './views.module.css'

export type ViewDraft = { name: string; everybody: boolean }

type ViewFieldsProps = { draft: ViewDraft; change: (draft: ViewDraft) => void; fault?: string | null }

/** What a view is called, and for whom it is. */
export function ViewFields({ draft, change, fault = null }: ViewFieldsProps) {
  const t = useTranslations('views')
  const mayShare = useForbidden('view.share') === null
  return (
    <>
      <TextField
        label={t('name')}
        type="text"
        autoComplete="off"
        hint={t('nameHint')}
        fault={fault}
        value={draft.name}
        onChange={(name) => change({ ...draft, name })}
      />
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={draft.everybody}
          disabled={!mayShare}
          onChange={(event) => change({ ...draft, everybody: event.target.checked })}
        />
        <span>
          {t('everybody')}
          <small>{t(mayShare ? 'everybodyHint' : 'viewerKeeps')}</small>
        </span>
      </label>
    </>
  )
}

/** The longest name that is kept. */
const LONGEST_NAME = 40

/** Why a name will not do; null when it will. */
export function useNameFault(name: string): string | null {
  const t = useTranslations('views')
  const written = name.trim()
  if (written === '') return t('nameNeeded')
  return written.length > LONGEST_NAME ? t('nameTooLong', { count: LONGEST_NAME }) : null
}
