'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { problemOf } from '../../api-client/problem.ts'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { FormShell } from '../../ui/form-shell.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { checkNewPassword, type PasswordFault } from './check-new-password.ts'

type NewPasswordFormProps = {
  email: string
  /** A generated password must be replaced before anything else. */
  required: boolean
}

function useChangePassword() {
  const t = useTranslations('session.password')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const change = useMutation(
    trpc.operator.changePassword.mutationOptions({ onSuccess: () => location.assign(paths.home()) }),
  )
  const isWrong = problemOf(change.error)?.code === 'invalid_credentials'
  const failure = isWrong ? t('wrongCurrent') : (failureOf(change.error)?.title ?? null)
  return { change: change.mutate, submitting: change.isPending || change.isSuccess, failure }
}

export function NewPasswordForm({ email, required }: NewPasswordFormProps) {
  const t = useTranslations('session.password')
  const reveals = useTranslations('session.signIn')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [fault, setFault] = useState<PasswordFault | null>(null)
  const { change, submitting, failure } = useChangePassword()

  const submit = () => {
    const found = checkNewPassword(next, current)
    setFault(found)
    if (found === null) change({ currentPassword: current, newPassword: next })
  }
  const reveal = { show: reveals('showPassword'), hide: reveals('hidePassword') }
  return (
    <FormShell
      title={t('heading')}
      lead={required ? t('mustChange') : email}
      submitLabel={t('submit')}
      submitting={submitting}
      failure={failure}
      onSubmit={submit}
      after={!required && <a href={paths.home()}>{t('cancel')}</a>}
    >
      <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
      <PasswordField
        label={t('current')}
        autoComplete="current-password"
        reveal={reveal}
        value={current}
        onChange={setCurrent}
        autoFocus
      />
      <PasswordField
        label={t('next')}
        autoComplete="new-password"
        reveal={reveal}
        value={next}
        onChange={setNext}
        hint={t('rule')}
        fault={fault && t(fault)}
      />
    </FormShell>
  )
}
