'use client'

import {
  type OneTimePassword,
  type OperatorRole,
  operatorRoles,
  RoleChange,
  StaffInvitation,
  type StaffMember,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { z } from 'zod'
import { formatTime } from '../../format.ts'
import { ConfirmDialog } from '../../kit/act/confirm-dialog.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { ShownOnce } from '../../kit/act/shown-once.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import styles from './staff.module.css'

export type StaffAct =
  | 'changeRole'
  | 'resetPassword'
  | 'confirmSecondFactor'
  | 'resetSecondFactor'
  | 'unbindIdentity'
  | 'disable'
  | 'enable'

type GivenProps = { given: OneTimePassword; email: string; onClose: () => void }

/** The one time that a password is shown, to be handed over by another way than this one. */
function OneTimePasswordDialog({ given, email, onClose }: GivenProps) {
  const t = useTranslations('staff.password')
  return (
    <ShownOnce
      title={t('title', { email })}
      lead={t('lead')}
      done={t('done')}
      name={t('name')}
      secret={given.password}
      note={t('expires', { time: formatTime(given.expiresAt) })}
      icon="clock"
      onClose={onClose}
    />
  )
}

/** What somebody may do, in words for each role. */
function useRoleField() {
  const t = useTranslations('staff')
  const roles = useTranslations('shell.roles')
  const options = operatorRoles.map((role) => ({
    value: role,
    label: roles(role),
    note: t(`roleHints.${role}`),
  }))
  const className = styles['roles'] ?? ''
  return { kind: 'choice', name: 'role', label: t('role'), title: true, className, options } as const
}

/** The address is pasted with what stands around it. */
const TypedInvitation = StaffInvitation.extend({
  email: z.string().trim().pipe(StaffInvitation.shape.email),
})

/** Makes an account for somebody new, and shows its one-time password once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('staff')
  const [invited, setInvited] = useState<{ given: OneTimePassword; email: string } | null>(null)
  const role = useRoleField()
  const invite = useAct({
    call: (api) => api.staff.invite.mutate,
    invalidates: ['staff'],
    after: (given, { email }) => setInvited({ given, email }),
  })
  if (invited) return <OneTimePasswordDialog {...invited} onClose={onClose} />
  return (
    <FormDialog
      title={t('invite')}
      lead={t('inviteLead')}
      submitLabel={t('inviteSubmit')}
      schema={TypedInvitation}
      start={{ email: '', name: '', role: 'viewer' }}
      incomplete={t('inviteNotYet')}
      fields={[
        { kind: 'large', type: 'email', name: 'email', label: t('columns.email') },
        { kind: 'large', type: 'text', name: 'name', label: t('columns.name') },
        role,
      ]}
      act={{ ...invite, run: (invitation) => invite.run(invitation) }}
      onClose={onClose}
    />
  )
}

type ActDialogProps<Kind = StaffAct> = { act: Kind; member: StaffMember; onClose: () => void }

/** The words of an act on an account. */
function useActWords({ act, member: { email } }: Omit<ActDialogProps, 'onClose'>) {
  const t = useTranslations('staff.acts')
  return {
    title: t(`${act}.title`, { email }),
    lead: t(`${act}.lead`),
    submitLabel: t(`${act}.submit`),
    danger: act === 'disable' || act === 'resetSecondFactor' || act === 'unbindIdentity',
  }
}

function ChangeRole({ act, member, onClose }: ActDialogProps<'changeRole'>) {
  const t = useTranslations('staff.acts.changeRole')
  const field = useRoleField()
  const change = useAct({
    call: (api) => api.staff.changeRole.mutate,
    invalidates: ['staff'],
    done: () => t('done'),
  })
  const look = (role: OperatorRole) => ({ obstacle: role === member.role ? t('same') : null })
  return (
    <FormDialog
      {...useActWords({ act, member })}
      {...look(member.role)}
      schema={RoleChange}
      start={{ operatorId: member.id, role: member.role }}
      fields={[field]}
      vary={({ role }) => look(role)}
      act={change}
      onClose={onClose}
    />
  )
}

function ResetPassword({ act, member, onClose }: ActDialogProps<'resetPassword'>) {
  const t = useTranslations('staff.acts.resetPassword')
  const words = useActWords({ act, member })
  const reset = useAct({
    call: (api) => api.staff.resetPassword.mutate,
    invalidates: ['staff'],
    done: () => t('done'),
  })
  const { output: given } = reset
  if (given) return <OneTimePasswordDialog given={given} email={member.email} onClose={onClose} />
  // The dialog stays, to show the password.
  const stays = { ...reset, run: (input: { operatorId: string }) => reset.run(input) }
  return <ConfirmDialog {...words} act={stays} input={{ operatorId: member.id }} onClose={onClose} />
}

function PlainAct({
  act,
  member,
  onClose,
}: ActDialogProps<Exclude<StaffAct, 'changeRole' | 'resetPassword'>>) {
  const t = useTranslations('staff.acts')
  const words = useActWords({ act, member })
  const change = useAct({
    call: (api) => api.staff[act].mutate,
    invalidates: ['staff'],
    done: () => t(`${act}.done`),
  })
  return <ConfirmDialog {...words} act={change} input={{ operatorId: member.id }} onClose={onClose} />
}

/** What is done to an account, asked once more. */
export function ActDialog({ act, ...props }: ActDialogProps) {
  if (act === 'changeRole') return <ChangeRole act={act} {...props} />
  if (act === 'resetPassword') return <ResetPassword act={act} {...props} />
  return <PlainAct act={act} {...props} />
}
