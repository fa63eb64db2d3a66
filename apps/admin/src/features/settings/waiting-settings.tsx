'use client'

import { SettingKey, type WaitingApproval } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { ChangeTable } from '../../ui/change-table.tsx'
import { type Described, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { useSettingChanges } from './setting-value.ts'

const Kept = z.object({ value: z.json() })

/** Changes of settings that wait for a second owner, or for their day. */
export function WaitingSettings({ waiting }: { waiting: readonly WaitingApproval[] }) {
  const t = useTranslations('settings')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const changesOf = useSettingChanges()
  const decide = useMutation(
    trpc.setting.decide.mutationOptions({
      onSuccess: () => {
        announce(said('decided'))
        return queryClient.invalidateQueries(trpc.setting.pathFilter())
      },
    }),
  )
  const describe = ({ subject, before, after }: WaitingApproval): Described => {
    const key = SettingKey.parse(subject)
    const [was, is] = [Kept.parse(before).value, Kept.parse(after).value]
    const name = t(`names.${key}`)
    const caption = said('changesOf', { name })
    return { name, changes: <ChangeTable caption={caption} changes={changesOf(key, was, is)} /> }
  }
  return (
    <WaitingChanges
      waiting={waiting}
      describe={describe}
      permission="setting.edit"
      decide={{ ...decide, failure: failureOf(decide.error)?.title ?? null }}
    />
  )
}
