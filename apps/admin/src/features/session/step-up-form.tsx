'use client'

import { type ConsoleContext, PasswordProof, Proof } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useState } from 'react'
import type { Demand } from '../../api-client/api-provider.tsx'
import { problemOf } from '../../api-client/problem.ts'
import { type OwnField, useActForm } from '../../kit/act/act-form.ts'
import { FormFields } from '../../kit/act/form-fields.tsx'
import { type Act, useAct } from '../../kit/act/use-act.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PasswordField } from '../../ui/form.tsx'
import { CodeField } from './code-field.tsx'
import { hearProof, useCompanyName } from './company-proof.ts'
import styles from './session.module.css'

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

/** The company vouches for them in a tab of its own, so that nothing they filled in here is lost. */
function CompanyFirst({ name, settle }: { name: string; settle: Settle }) {
  const t = useTranslations('session.stepUp')
  const [opened, setOpened] = useState(false)
  useEffect(() => hearProof(() => settle(true)), [settle])
  const open = () => {
    window.open(paths.stepUp(), '_blank', 'noopener')
    setOpened(true)
  }
  return (
    <Dialog
      title={t('heading')}
      submitLabel={t(opened ? 'proceed' : 'companyOpen')}
      submitting={false}
      failure={null}
      onSubmit={() => (opened ? settle(true) : open())}
      onClose={() => settle(false)}
    >
      <p>{t('companyLead', { name })}</p>
      {opened && (
        <a href={paths.stepUp()} target="_blank" rel="noopener">
          {t('companyReopen')}
        </a>
      )}
    </Dialog>
  )
}

function CompanyInstead({ name, onPress }: { name: string; onPress: () => void }) {
  const t = useTranslations('session.stepUp')
  return (
    <button type="button" className={styles['quiet']} onClick={onPress}>
      {t('companyInstead', { name })}
    </button>
  )
}

function GivePasswordFirst({ settle, other }: { settle: Settle; other: ReactNode }) {
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
      {other}
    </ProofDialog>
  )
}

/** How this operator can show who they are beside the password and code that the question itself takes. */
export type Ways = Pick<ConsoleContext, 'company' | 'secondFactor'>

/** Whether only the company can vouch for them: they have no authenticator of ours, or their password opens nothing. */
const isCompanys = (demand: Demand, { company, secondFactor }: Ways): boolean =>
  company !== null && (demand === 'password_required' ? !company.passwords : !secondFactor.enrolled)

type StepUpFormProps = { demand: Demand; ways: Ways; settle: Settle }

/** The question itself: a code, the password, the company's sign-in, or, for who has no second factor yet, the way to one. */
export function StepUpForm({ demand, ways, settle }: StepUpFormProps) {
  const [atCompany, setAtCompany] = useState(isCompanys(demand, ways))
  const name = useCompanyName(ways.company)
  if (demand === 'second_factor_required') return <EnrolFirst settle={settle} />
  if (atCompany) return <CompanyFirst {...{ name, settle }} />
  if (demand === 'step_up_required') return <ProveFirst settle={settle} />
  return (
    <GivePasswordFirst
      settle={settle}
      other={ways.company && <CompanyInstead name={name} onPress={() => setAtCompany(true)} />}
    />
  )
}
