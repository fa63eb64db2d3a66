'use client'

import { isGuardedSetting, SettingEdit, type SettingRow, settingShapes } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import type { FormField } from '../../kit/act/act-form.ts'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { ChangeTable } from '../../ui/change-table.tsx'
import { SettingEditor } from './setting-editor.tsx'
import { useSettingChanges } from './setting-value.ts'

type ChangeSettingProps = {
  setting: SettingRow
  /** What the form starts with: the value of today, or an old one to go back to. */
  start: unknown
  onClose: () => void
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The editor of the setting and, once it is another value, what becomes what. */
function useLook({ key, value: before }: SettingRow) {
  const t = useTranslations('settings')
  const changesOf = useSettingChanges()
  const editor: FormField = {
    kind: 'own',
    name: 'value',
    draw: ({ value, change }) => <SettingEditor settingKey={key} value={value} change={change} />,
  }
  return ({ value }: { value: unknown }) => {
    const read = settingShapes[key].safeParse(value)
    if (!read.success) return { fields: [editor], obstacle: null }
    const changes = changesOf(key, before, read.data)
    // A value that is kept in a shape of old reads the same in the new one.
    if (isSame(read.data, before) || changes.length === 0) return { fields: [editor], obstacle: t('same') }
    const table = <ChangeTable caption={t('preview')} changes={changes} />
    const preview: FormField = { kind: 'shown', name: 'preview', shown: table }
    return { fields: [editor, preview], obstacle: null }
  }
}

/** Changes one setting, showing first what becomes what. */
export function ChangeSetting({ setting, start, onClose }: ChangeSettingProps) {
  const t = useTranslations('settings')
  const said = useTranslations('approvals')
  const { key, version } = setting
  const name = t(`names.${key}`)
  const isGuarded = isGuardedSetting(key)
  const look = useLook(setting)
  const change = useAct({
    call: (api) => api.setting.change.mutate,
    invalidates: ['setting', 'plan'],
    refreshesOnFailure: ['setting'],
    done: () => (isGuarded ? said('nowWaiting') : t('changed', { name })),
  })
  const guard = t(key === 'program_bounds' ? 'guardedBounds' : 'guarded')
  return (
    <FormDialog
      title={t('changeNamed', { name })}
      lead={isGuarded ? guard : t(`hints.${key}`)}
      submitLabel={t('save', { name })}
      {...look({ value: start })}
      schema={SettingEdit.extend({
        value: z
          .unknown()
          .pipe(settingShapes[key])
          .transform((read) => z.json().parse(read)),
      })}
      start={{ value: start }}
      beside={{ key, version }}
      incomplete={t('notValid')}
      vary={look}
      act={change}
      onClose={onClose}
    />
  )
}
