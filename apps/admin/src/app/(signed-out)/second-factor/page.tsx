import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { SecondFactorSetup } from '../../../features/session/second-factor-setup.tsx'
import { StepUpDialog } from '../../../features/session/step-up-dialog.tsx'
import { titled } from '../../../kit/page/console-page.tsx'

export const generateMetadata = titled((t) => t('session.enrol.title'))

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
