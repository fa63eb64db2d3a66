'use client'

import { SettingKey, type WaitingApproval } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { ChangeTable } from '../../ui/change-table.tsx'
import { type Described, useDecide, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { useSettingChanges } from './setting-value.ts'

const Kept = z.object({ value: z.json() })

/** Changes of settings that wait for a second owner, or for their day. */
export function WaitingSettings({ waiting }: { waiting: readonly WaitingApproval[] }) {
  const t = useTranslations('settings')
  const said = useTranslations('approvals')
  const changesOf = useSettingChanges()
  const decide = useDecide({ call: (api) => api.setting.decide.mutate, invalidates: ['setting'] })
  const describe = ({ subject, before, after }: WaitingApproval): Described => {
    const key = SettingKey.parse(subject)
    const [was, is] = [Kept.parse(before).value, Kept.parse(after).value]
    const name = t(`names.${key}`)
    const caption = said('changesOf', { name })
    return { name, changes: <ChangeTable caption={caption} changes={changesOf(key, was, is)} /> }
  }
  return <WaitingChanges waiting={waiting} describe={describe} permission="setting.edit" decide={decide} />
}
