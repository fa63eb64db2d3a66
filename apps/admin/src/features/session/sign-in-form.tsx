'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { readSignInFailure, type SignInFailure } from '../../session/sign-in.ts'
import { FormShell, PasswordField, TextField } from '../../ui/form.tsx'
import { CodeField } from './code-field.tsx'
import styles from './session.module.css'

type Credentials = { email: string; password: string; code?: string }

/** Answers what went wrong, or null when the browser now holds a session. */
async function openSession(credentials: Credentials): Promise<SignInFailure | null> {
  try {
    const { signIn } = await import('next-auth/react')
    const answer = await signIn('credentials', { ...credentials, redirect: false })
    if (answer?.ok && !answer.error) return null
    return readSignInFailure(answer?.error ?? '')
  } catch {
    return 'api_unreachable'
  }
}

/** Signing in, in one step or in two: the password is kept until the code has come. */
function useSignIn(returnPath: string) {
  const [submitting, setSubmitting] = useState(false)
  const [failure, setFailure] = useState<SignInFailure | null>(null)
  const [step, setStep] = useState<'password' | 'code'>('password')

  const submit = async (credentials: Credentials) => {
    setSubmitting(true)
    setFailure(null)
    const failed = await openSession(credentials)
    // A full load: the pages ahead are made for the operator who has just come in.
    if (failed === null) return location.assign(returnPath)
    if (failed === 'code_required') setStep('code')
    if (failed === 'invalid_credentials') setStep('password')
    setFailure(failed === 'code_required' && step === 'password' ? null : failed)
    setSubmitting(false)
  }
  const startAgain = () => {
    setStep('password')
    setFailure(null)
  }
  return { submitting, failure, step, submit, startAgain }
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
  const [code, setCode] = useState('')
  const { submitting, failure, step, submit, startAgain } = useSignIn(returnPath)
  const who = { email: email.trim(), password }

  if (step === 'code') {
    return (
      <FormShell
        title={t('signIn.codeHeading')}
        lead={t('signIn.codeLead')}
        submitLabel={t('signIn.submit')}
        submitting={submitting}
        failure={failure && t(`failures.${failure}`)}
        onSubmit={() => code.trim() !== '' && submit({ ...who, code })}
        after={
          <button type="button" className={styles['quiet']} onClick={startAgain}>
            {t('signIn.back')}
          </button>
        }
      >
        <CodeField value={code} onChange={setCode} />
      </FormShell>
    )
  }
  return (
    <FormShell
      title={t('signIn.heading')}
      lead={ended ? t('signIn.ended') : t('signIn.lead')}
      submitLabel={t('signIn.submit')}
      submitting={submitting}
      failure={failure && t(`failures.${failure}`)}
      onSubmit={() => submit(who)}
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
        value={password}
        onChange={setPassword}
      />
    </FormShell>
  )
}
