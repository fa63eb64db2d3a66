'use client'

import { type DiagnosisChange, programNumbers } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import { ChangeTable } from '../../ui/change-table.tsx'
import styles from './diagnosis.module.css'
import { partNames, useFieldName, useFieldText } from './diagnosis-words.ts'

const looks: Record<DiagnosisChange['kind'], Look> = {
  added: { tone: 'ok', icon: 'plus' },
  removed: { tone: 'bad', icon: 'close' },
  changed: { tone: 'wait', icon: 'edit' },
  moved: { tone: 'info', icon: 'sync' },
}

/** As the form asks for them; a version that was kept says them in any order. */
const fieldOrder: readonly string[] = [
  'code',
  'name',
  'body_part',
  'waveform',
  ...programNumbers,
  'contraindications',
  'premium',
]

const inOrder = (fields: DiagnosisChange['fields']) =>
  fields.toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
const placeOf = (name: string) => fieldOrder.indexOf(name)

/** What a draft would change, one entry per body part or program. */
export function ChangeList({ changes }: { changes: readonly DiagnosisChange[] }) {
  const t = useTranslations('diagnosis')
  const fieldName = useFieldName()
  const trpc = useTRPC()
  // Whoever shows changes has read the desk.
  const { data: desk } = useQuery({ ...trpc.diagnosis.desk.queryOptions(), enabled: false })
  const fieldText = useFieldText(partNames(desk, changes))
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
              changes={inOrder(fields).map(({ name, before, after }) => ({
                key: name,
                name: fieldName(name),
                before: fieldText(name, before),
                after: fieldText(name, after),
              }))}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
