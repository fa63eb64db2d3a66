'use client'

import { type OneTimePassword, type OperatorRole, StaffInvitation } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { OneTimePasswordDialog } from './one-time-password.tsx'
import { RoleChoice } from './role-choice.tsx'

/** Makes an account for somebody new, and shows its one-time password once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('staff')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const failureOf = useFailure()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<OperatorRole>('viewer')
  const [given, setGiven] = useState<OneTimePassword | null>(null)
  const invite = useMutation(
    trpc.staff.invite.mutationOptions({
      onSuccess: async (password) => {
        setGiven(password)
        await queryClient.invalidateQueries(trpc.staff.pathFilter())
      },
    }),
  )
  const invitation = StaffInvitation.safeParse({ email: email.trim(), name, role })
  if (given) return <OneTimePasswordDialog given={given} email={email.trim()} onClose={onClose} />
  return (
    <Dialog
      title={t('invite')}
      lead={t('inviteLead')}
      submitLabel={t('inviteSubmit')}
      disabledReason={invitation.success ? null : t('inviteNotYet')}
      submitting={invite.isPending}
      failure={failureOf(invite.error)?.title ?? null}
      onSubmit={() => invitation.success && invite.mutate(invitation.data)}
      onClose={onClose}
    >
      <TextField
        label={t('columns.email')}
        type="email"
        autoComplete="off"
        value={email}
        onChange={setEmail}
      />
      <TextField label={t('columns.name')} type="text" autoComplete="off" value={name} onChange={setName} />
      <RoleChoice value={role} choose={setRole} />
    </Dialog>
  )
}
