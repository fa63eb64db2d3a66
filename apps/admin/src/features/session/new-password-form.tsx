'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { problemOf } from '../../api-client/problem.ts'
import { useAct } from '../../kit/act/use-act.ts'
import { paths } from '../../paths.ts'
import { FormShell, PasswordField } from '../../ui/form.tsx'
import { checkNewPassword, type PasswordFault } from './check-new-password.ts'

type NewPasswordFormProps = {
  email: string
  /** A generated password must be replaced before anything else. */
  required: boolean
}

function useChangePassword() {
  const t = useTranslations('session.password')
  const change = useAct({
    call: (api) => api.operator.changePassword.mutate,
    invalidates: [],
    after: () => location.assign(paths.home()),
  })
  const isWrong = problemOf(change.error)?.code === 'invalid_credentials'
  const failure = isWrong ? t('wrongCurrent') : (change.failure?.title ?? null)
  return { change: change.run, submitting: change.busy || change.isDone, failure }
}

export function NewPasswordForm({ email, required }: NewPasswordFormProps) {
  const t = useTranslations('session.password')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [fault, setFault] = useState<PasswordFault | null>(null)
  const { change, submitting, failure } = useChangePassword()

  const submit = () => {
    const found = checkNewPassword(next, current)
    setFault(found)
    if (found === null) change({ currentPassword: current, newPassword: next })
  }
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
        value={current}
        onChange={setCurrent}
        autoFocus
      />
      <PasswordField
        label={t('next')}
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        hint={t('rule')}
        fault={fault && t(fault)}
      />
    </FormShell>
  )
}
