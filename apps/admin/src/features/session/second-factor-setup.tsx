'use client'

import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { EnrolmentForm } from './enrolment.tsx'

type SecondFactorSetupProps = {
  /** Whether nothing else is open to the operator before. */
  forced: boolean
  required: boolean
}

/** The page that sets an authenticator up, and leads back to the console. */
export function SecondFactorSetup({ forced, required }: SecondFactorSetupProps) {
  const t = useTranslations('session.enrol')
  return (
    <EnrolmentForm
      lead={required ? t('required') : t('optional')}
      cancelPath={forced ? null : paths.home()}
      onDone={() => location.assign(paths.home())}
    />
  )
}
