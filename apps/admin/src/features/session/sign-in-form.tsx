'use client'

import type { SignInOptions } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { readSignInFailure, type SignInFailure } from '../../session/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { FormShell, PasswordField, TextField } from '../../ui/form.tsx'
import { CodeField } from './code-field.tsx'
import styles from './session.module.css'

type Credentials = { email: string; password: string; code?: string }
/** What the sign-in by the company's identity waits for. */
type OwnCode = { code: string }

/** Answers what went wrong, or null when the browser now holds a session. */
async function openSession(given: Credentials | OwnCode): Promise<SignInFailure | null> {
  try {
    const { signIn } = await import('next-auth/react')
    const provider = 'email' in given ? 'credentials' : 'company-code'
    const answer = await signIn(provider, { ...given, redirect: false })
    if (answer?.ok && !answer.error) return null
    return readSignInFailure(answer?.error ?? '')
  } catch {
    return 'api_unreachable'
  }
}

type Step = 'password' | 'code' | 'identity_code'

/** Signing in, in one step or in two: the password is kept until the code has come. */
export function useSignIn({ returnPath, waitsForCode, returned, more = {} }: WayProps) {
  const [submitting, setSubmitting] = useState(false)
  const [failure, setFailure] = useState<SignInFailure | null>(returned)
  const [step, setStep] = useState<Step>(waitsForCode ? 'identity_code' : 'password')

  const submit = async (given: Credentials | OwnCode) => {
    setSubmitting(true)
    setFailure(null)
    const failed = await openSession(given)
    // A full load: the pages ahead are made for the operator who has just come in.
    if (failed === null) return location.assign(returnPath)
    if (failed === 'code_required') setStep('code')
    if (failed === 'invalid_credentials' || failed.startsWith('identity_')) setStep('password')
    setFailure(failed === 'code_required' && step === 'password' ? null : failed)
    setSubmitting(false)
  }
  const goToCompany = async () => {
    setSubmitting(true)
    const { signIn } = await import('next-auth/react')
    await signIn('company', { callbackUrl: returnPath }, more)
  }
  const startAgain = () => {
    setStep('password')
    setFailure(null)
  }
  return { submitting, failure, step, submit, startAgain, goToCompany }
}

type WayProps = {
  /** A path of this console. */
  returnPath: string
  /** Whether they came from the company's identity provider and a code of ours is asked for. */
  waitsForCode: boolean
  /** Why they came back from there without a session. */
  returned: SignInFailure | null
  /** What the provider is asked beside the usual. */
  more?: Record<string, string>
}

type SignInFormProps = WayProps & {
  /** Whether a session they had is over. */
  ended: boolean
  /** How somebody may sign in here. */
  options: SignInOptions
}

type Way = ReturnType<typeof useSignIn>

export function CodeStep({ way, onCode }: { way: Way; onCode: (code: string) => void }) {
  const t = useTranslations('session')
  const [code, setCode] = useState('')
  return (
    <FormShell
      title={t('signIn.codeHeading')}
      lead={t(way.step === 'code' ? 'signIn.codeLead' : 'signIn.identityCodeLead')}
      submitLabel={t('signIn.submit')}
      submitting={way.submitting}
      failure={way.failure && t(`failures.${way.failure}`)}
      onSubmit={() => code.trim() !== '' && onCode(code)}
      after={
        <button type="button" className={styles['quiet']} onClick={way.startAgain}>
          {t('signIn.back')}
        </button>
      }
    >
      <CodeField value={code} onChange={setCode} />
    </FormShell>
  )
}

type CompanyStepProps = { way: Way; label: string; lead: string; onPassword: () => void }

/** Where everybody signs in at the company: the password is for one owner, on the day the provider is away. */
function CompanyStep({ way, label, lead, onPassword }: CompanyStepProps) {
  const t = useTranslations('session')
  return (
    <FormShell
      title={t('signIn.heading')}
      lead={lead}
      submitLabel={label}
      submitting={way.submitting}
      failure={way.failure && t(`failures.${way.failure}`)}
      onSubmit={way.goToCompany}
      after={
        <button type="button" className={styles['quiet']} onClick={onPassword}>
          {t('signIn.usePassword')}
        </button>
      }
    >
      {null}
    </FormShell>
  )
}

export function SignInForm(props: SignInFormProps) {
  const { ended, options } = props
  const t = useTranslations('session')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [emergency, setEmergency] = useState(false)
  const way = useSignIn(props)
  const { submitting, failure, step, submit, goToCompany } = way
  const { identity, passwords } = options
  const name = identity?.name
  const company = name ? t('signIn.identity', { name }) : t('signIn.identityUnnamed')
  const who = { email: email.trim(), password }
  const lead = ended ? t('signIn.ended') : null

  if (step !== 'password')
    return <CodeStep way={way} onCode={(code) => submit(step === 'code' ? { ...who, code } : { code })} />
  if (identity && passwords === 'break_glass' && !emergency)
    return (
      <CompanyStep
        way={way}
        label={company}
        lead={lead ?? t('signIn.identityLead')}
        onPassword={() => setEmergency(true)}
      />
    )
  return (
    <FormShell
      title={t('signIn.heading')}
      lead={lead ?? t('signIn.lead')}
      submitLabel={t('signIn.submit')}
      submitting={submitting}
      failure={failure && t(`failures.${failure}`)}
      onSubmit={() => submit(who)}
      after={
        identity && (
          <Button size="large" block onClick={goToCompany}>
            {company}
          </Button>
        )
      }
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
