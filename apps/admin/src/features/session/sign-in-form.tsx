'use client'

import { signIn } from 'next-auth/react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { readSignInFailure, type SignInFailure } from '../../session/sign-in-failure.ts'
import { FormShell } from '../../ui/form-shell.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** Answers what went wrong, or null when the browser now holds a session. */
async function openSession(email: string, password: string): Promise<SignInFailure | null> {
  try {
    const answer = await signIn('credentials', { email, password, redirect: false })
    if (answer?.ok && !answer.error) return null
    return readSignInFailure(answer?.error ?? '')
  } catch {
    return 'api_unreachable'
  }
}

type SignInFormProps = {
  /** A path of this console. */
  returnPath: string
  /** Whether a session they had is over. */
  ended: boolean
}

export function SignInForm({ returnPath, ended }: SignInFormProps) {
  const t = useTranslations('session')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [submitting, setSubmitting] = useState(false)
  const [failure, setFailure] = useState<SignInFailure | null>(null)

  const submit = async () => {
    setSubmitting(true)
    setFailure(null)
    const failed = await openSession(email.trim(), password)
    // A full load: the pages ahead are made for the operator who has just come in.
    if (failed === null) return location.assign(returnPath)
    setFailure(failed)
    setSubmitting(false)
  }
  return (
    <FormShell
      title={t('signIn.heading')}
      lead={ended ? t('signIn.ended') : t('signIn.lead')}
      submitLabel={t('signIn.submit')}
      submitting={submitting}
      failure={failure && t(`failures.${failure}`)}
      onSubmit={submit}
    >
      <TextField
        label={t('signIn.email')}
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        autoFocus
      />
      <PasswordField
        label={t('signIn.password')}
        autoComplete="current-password"
        reveal={{ show: t('signIn.showPassword'), hide: t('signIn.hidePassword') }}
        value={password}
        onChange={setPassword}
      />
    </FormShell>
  )
}
