'use client'

import type { OneTimePassword, OperatorRole, StaffDetail } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { OneTimePasswordDialog } from './one-time-password.tsx'
import { RoleChoice } from './role-choice.tsx'

export const staffActs = [
  'changeRole',
  'resetPassword',
  'confirmSecondFactor',
  'resetSecondFactor',
  'disable',
  'enable',
] as const
export type StaffAct = (typeof staffActs)[number]

const grave: readonly StaffAct[] = ['disable', 'resetSecondFactor']

type Props = { act: StaffAct; member: StaffDetail; onClose: () => void }

/** What is done to an account: each act is one mutation, and all of them end alike. */
function useStaffAct({ act, member, onClose }: Props) {
  const t = useTranslations('staff.acts')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [given, setGiven] = useState<OneTimePassword | null>(null)
  const settle = async (password: OneTimePassword | null) => {
    await queryClient.invalidateQueries(trpc.staff.pathFilter())
    announce(t(`${act}.done`))
    if (password) setGiven(password)
    else onClose()
  }
  const done = { onSuccess: () => settle(null) }
  const changeRole = useMutation(trpc.staff.changeRole.mutationOptions(done))
  const disable = useMutation(trpc.staff.disable.mutationOptions(done))
  const enable = useMutation(trpc.staff.enable.mutationOptions(done))
  const resetSecondFactor = useMutation(trpc.staff.resetSecondFactor.mutationOptions(done))
  const confirmSecondFactor = useMutation(trpc.staff.confirmSecondFactor.mutationOptions(done))
  const resetPassword = useMutation(trpc.staff.resetPassword.mutationOptions({ onSuccess: settle }))
  const all = { changeRole, confirmSecondFactor, disable, enable, resetSecondFactor, resetPassword }
  const operatorId = member.id
  const run = (role: OperatorRole) =>
    act === 'changeRole' ? changeRole.mutate({ operatorId, role }) : all[act].mutate({ operatorId })
  return { run, given, error: all[act].error, isPending: all[act].isPending }
}

export function ActDialog(props: Props) {
  const { act, member, onClose } = props
  const t = useTranslations('staff.acts')
  const failureOf = useFailure()
  const [role, setRole] = useState<OperatorRole>(member.role)
  const { run, given, error, isPending } = useStaffAct(props)
  if (given) return <OneTimePasswordDialog given={given} email={member.email} onClose={onClose} />
  return (
    <Dialog
      title={t(`${act}.title`, { email: member.email })}
      lead={t(`${act}.lead`)}
      submitLabel={t(`${act}.submit`)}
      disabledReason={act === 'changeRole' && role === member.role ? t('changeRole.same') : null}
      danger={grave.includes(act)}
      submitting={isPending}
      failure={failureOf(error)?.title ?? null}
      onSubmit={() => run(role)}
      onClose={onClose}
    >
      {act === 'changeRole' && <RoleChoice value={role} choose={setRole} />}
    </Dialog>
  )
}
