'use client'

import { PasswordProof, Proof } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ComponentType, ReactNode } from 'react'
import type { Demand } from '../../api-client/api-provider.tsx'
import { problemOf } from '../../api-client/problem.ts'
import { type OwnField, useActForm } from '../../kit/act/act-form.ts'
import { FormFields } from '../../kit/act/form-fields.tsx'
import { type Act, useAct } from '../../kit/act/use-act.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordField } from '../../ui/form.tsx'
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

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

type ProofDialogProps = {
  title: string
  lead: string
  prove: Pick<Act<never>, 'busy' | 'failure'>
  /** In place of what the proof failed with. */
  failure?: string | null
  submit: () => void
  settle: Settle
  children: ReactNode
}

function ProofDialog({ prove, failure, submit, settle, ...dialog }: ProofDialogProps) {
  return (
    <Dialog
      {...dialog}
      submitLabel={useTranslations('session')('stepUp.submit')}
      submitting={prove.busy}
      failure={failure ?? prove.failure?.title ?? null}
      onSubmit={submit}
      onClose={() => settle(false)}
    />
  )
}

function ProveFirst({ settle }: { settle: Settle }) {
  const t = useTranslations('session')
  const form = useActForm({ schema: Proof, start: { code: '' }, faults: 'sent' })
  const prove = useAct({
    call: (api) => api.operator.prove.mutate,
    invalidates: [],
    after: () => settle(true),
    onFailure: () => form.set('code', ''),
  })
  const draw: OwnField['draw'] = ({ value, change, isWrong }) => (
    <CodeField value={textOf(value)} onChange={change} fault={isWrong ? t('code.missing') : null} />
  )
  const submit = form.submit((proof) => prove.run(proof))
  return (
    <ProofDialog {...{ prove, submit, settle }} title={t('stepUp.heading')} lead={t('stepUp.lead')}>
      <FormFields control={form.control} fields={[{ kind: 'own', name: 'code', draw }]} />
    </ProofDialog>
  )
}

function GivePasswordFirst({ settle }: { settle: Settle }) {
  const t = useTranslations('session')
  const form = useActForm({ schema: PasswordProof, start: { password: '' }, faults: 'sent' })
  const prove = useAct({
    call: (api) => api.operator.provePassword.mutate,
    invalidates: [],
    after: () => settle(true),
    onFailure: () => form.set('password', ''),
  })
  const isWrong = problemOf(prove.error)?.code === 'invalid_credentials'
  const draw: OwnField['draw'] = ({ value, change }) => (
    <PasswordField
      label={t('password.current')}
      autoComplete="current-password"
      value={textOf(value)}
      onChange={change}
      autoFocus
    />
  )
  return (
    <ProofDialog
      {...{ prove, settle }}
      title={t('stepUp.passwordHeading')}
      lead={t('stepUp.passwordLead')}
      submit={form.submit((proof) => prove.run(proof))}
      failure={isWrong ? t('password.wrongCurrent') : null}
    >
      <FormFields control={form.control} fields={[{ kind: 'own', name: 'password', draw }]} />
    </ProofDialog>
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
