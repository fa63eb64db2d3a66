'use client'

import { isGuardedSetting, type SettingRow, settingShapes } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { ChangeTable } from '../../ui/change-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SettingEditor } from './setting-editor.tsx'
import { useSettingChanges } from './setting-value.ts'

type ChangeSettingProps = {
  setting: SettingRow
  /** What the form starts with: the value of today, or an old one to go back to. */
  start: unknown
  onClose: () => void
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Changes one setting, showing first what becomes what. */
export function ChangeSetting({ setting, start, onClose }: ChangeSettingProps) {
  const t = useTranslations('settings')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const changesOf = useSettingChanges()
  const { key, version } = setting
  const name = t(`names.${key}`)
  const [value, setValue] = useState(start)
  const change = useMutation(
    trpc.setting.change.mutationOptions({
      onSuccess: async () => {
        announce(isGuardedSetting(key) ? said('nowWaiting') : t('changed', { name }))
        onClose()
        await queryClient.invalidateQueries(trpc.setting.pathFilter())
      },
      onError: () => queryClient.invalidateQueries(trpc.setting.pathFilter()),
    }),
  )
  const guard = key === 'program_bounds' ? t('guardedBounds') : t('guarded')
  const lead = isGuardedSetting(key) ? guard : t(`hints.${key}`)
  const read = settingShapes[key].safeParse(value)
  const changes = read.success ? changesOf(key, setting.value, read.data) : []
  // A value that is kept in a shape of old reads the same in the new one.
  const same = read.success && (isSame(read.data, setting.value) || changes.length === 0)
  return (
    <Dialog
      title={t('changeNamed', { name })}
      lead={lead}
      submitLabel={t('save', { name })}
      disabledReason={read.success ? (same ? t('same') : null) : t('notValid')}
      submitting={change.isPending}
      failure={failureOf(change.error)?.title ?? null}
      onSubmit={() => read.success && change.mutate({ key, version, value: z.json().parse(read.data) })}
      onClose={onClose}
    >
      <SettingEditor settingKey={key} value={value} change={setValue} />
      {read.success && !same && <ChangeTable caption={t('preview')} changes={changes} />}
    </Dialog>
  )
}
