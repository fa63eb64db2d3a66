'use client'

import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { paths } from '../../paths.ts'
import type { SignInFailure } from '../../session/sign-in.ts'
import { FormShell } from '../../ui/form.tsx'
import { tellProof, useCompanyName } from './company-proof.ts'
import { CodeStep, useSignIn } from './sign-in-form.tsx'

/** It is done: the tab that waits for it hears of it, and this one closes where the browser lets it. */
function Done() {
  const t = useTranslations('session.again')
  useEffect(() => {
    tellProof()
    window.close()
  }, [])
  return (
    <FormShell
      title={t('doneHeading')}
      lead={t('doneLead')}
      submitLabel={t('back')}
      submitting={false}
      failure={null}
      onSubmit={() => location.assign(paths.home())}
    >
      {null}
    </FormShell>
  )
}

type CompanyAgainProps = {
  name: string | null
  done: boolean
  /** Whether the company has vouched for them and a code of ours is asked for. */
  waitsForCode: boolean
  /** Why they came back without a proof. */
  returned: SignInFailure | null
  /** What makes the provider ask them anew. */
  anew: Record<string, string>
}

/** Somebody who has a session shows anew at the company who they are. */
export function CompanyAgain({ name: given, done, waitsForCode, returned, anew }: CompanyAgainProps) {
  const t = useTranslations('session')
  const name = useCompanyName({ name: given, passwords: false })
  const way = useSignIn({ returnPath: paths.stepUp('yes'), waitsForCode, returned, more: anew })
  if (done) return <Done />
  if (way.step !== 'password') return <CodeStep way={way} onCode={(code) => way.submit({ code })} />
  const failure = way.failure === 'identity_not_admitted' ? t('again.other') : null
  return (
    <FormShell
      title={t('stepUp.heading')}
      lead={t('again.lead', { name })}
      submitLabel={t('signIn.identity', { name })}
      submitting={way.submitting}
      failure={failure ?? (way.failure && t(`failures.${way.failure}`))}
      onSubmit={way.goToCompany}
      after={<a href={paths.home()}>{t('again.back')}</a>}
    >
      {null}
    </FormShell>
  )
}
