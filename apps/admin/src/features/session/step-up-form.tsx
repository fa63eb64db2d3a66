'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ComponentType, useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { problemOf } from '../../api-client/problem.ts'
import type { Demand } from '../../api-client/step-up.ts'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { CodeField } from './code-field.tsx'

type Settle = (proven: boolean) => void

function EnrolFirst({ settle }: { settle: Settle }) {
  const t = useTranslations('session.stepUp')
  return (
    <Dialog
      title={t('enrolHeading')}
      submitLabel={t('enrol')}
      submitting={false}
      failure={null}
      onSubmit={() => location.assign(paths.secondFactor())}
      onClose={() => settle(false)}
    >
      {t('enrolLead')}
    </Dialog>
  )
}

function ProveFirst({ settle }: { settle: Settle }) {
  const t = useTranslations('session')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const prove = useMutation(
    trpc.operator.prove.mutationOptions({ onSuccess: () => settle(true), onError: () => setCode('') }),
  )
  const submit = () => {
    const isMissing = code.trim().length < 6
    setMissing(isMissing)
    if (!isMissing) prove.mutate({ code })
  }
  return (
    <Dialog
      title={t('stepUp.heading')}
      lead={t('stepUp.lead')}
      submitLabel={t('stepUp.submit')}
      submitting={prove.isPending}
      failure={failureOf(prove.error)?.title ?? null}
      onSubmit={submit}
      onClose={() => settle(false)}
    >
      <CodeField value={code} onChange={setCode} fault={missing ? t('code.missing') : null} />
    </Dialog>
  )
}

function GivePasswordFirst({ settle }: { settle: Settle }) {
  const t = useTranslations('session')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const [password, setPassword] = useState('')
  const prove = useMutation(
    trpc.operator.provePassword.mutationOptions({
      onSuccess: () => settle(true),
      onError: () => setPassword(''),
    }),
  )
  const isWrong = problemOf(prove.error)?.code === 'invalid_credentials'
  return (
    <Dialog
      title={t('stepUp.passwordHeading')}
      lead={t('stepUp.passwordLead')}
      submitLabel={t('stepUp.submit')}
      submitting={prove.isPending}
      failure={isWrong ? t('password.wrongCurrent') : (failureOf(prove.error)?.title ?? null)}
      onSubmit={() => password !== '' && prove.mutate({ password })}
      onClose={() => settle(false)}
    >
      <PasswordField
        label={t('password.current')}
        autoComplete="current-password"
        reveal={{ show: t('signIn.showPassword'), hide: t('signIn.hidePassword') }}
        value={password}
        onChange={setPassword}
        autoFocus
      />
    </Dialog>
  )
}

const questions = {
  step_up_required: ProveFirst,
  second_factor_required: EnrolFirst,
  password_required: GivePasswordFirst,
} satisfies Record<Demand, ComponentType<{ settle: Settle }>>

/** The question itself: a code, the password, or, for who has no second factor yet, the way to one. */
export function StepUpForm({ demand, settle }: { demand: Demand; settle: Settle }) {
  const Question = questions[demand]
  return <Question settle={settle} />
}
