import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { SecondFactorSetup } from '../../../features/session/second-factor-setup.tsx'
import { StepUpDialog } from '../../../features/session/step-up-dialog.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('session.enrol')
  return { title: t('title') }
}

export default async function SecondFactorPage() {
  const api = await apiForThisOperator()
  const context = await firstRead(api.operator.context.query())
  return (
    <>
      <SecondFactorSetup
        forced={context?.next === 'enrol'}
        required={context?.secondFactor.required ?? true}
      />
      <StepUpDialog />
    </>
  )
}
