'use client'

import type { DiagnosisChange } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ChangeTable } from '../../ui/change-table.tsx'
import type { IconName } from '../../ui/icon.tsx'
import styles from './diagnosis.module.css'
import { useFieldName } from './field-words.ts'

const looks: Record<DiagnosisChange['kind'], { tone: Tone; icon: IconName }> = {
  added: { tone: 'ok', icon: 'plus' },
  removed: { tone: 'bad', icon: 'close' },
  changed: { tone: 'wait', icon: 'edit' },
  moved: { tone: 'info', icon: 'sync' },
}

/** What a draft would change, one entry per body part or program. */
export function ChangeList({ changes }: { changes: readonly DiagnosisChange[] }) {
  const t = useTranslations('diagnosis')
  const fieldName = useFieldName()
  if (changes.length === 0) return <p className={styles['quiet']}>{t('noChanges')}</p>
  return (
    <ul className={styles['changes']} aria-label={t('changes')}>
      {changes.map(({ what, code, kind, fields }) => (
        <li key={`${what} ${code} ${kind}`}>
          <div className={styles['changeHead']}>
            <Badge {...looks[kind]}>{t(`changeKinds.${kind}`)}</Badge>
            <span>
              {t(`kinds.${what}`)} <code>{code}</code>
            </span>
          </div>
          {fields.length > 0 && (
            <ChangeTable
              caption={`${t(`kinds.${what}`)} ${code}`}
              changes={fields.map(({ name, before, after }) => ({
                key: name,
                name: fieldName(name),
                before: before === 'null' ? null : before,
                after: after === 'null' ? null : after,
              }))}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
