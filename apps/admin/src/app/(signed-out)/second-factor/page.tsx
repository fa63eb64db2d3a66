import { consoleContext } from '../../../api-client/first-read.ts'
import { SecondFactorSetup } from '../../../features/session/second-factor.tsx'
import { StepUpDialog } from '../../../features/session/step-up-dialog.tsx'
import { titled } from '../../../kit/page/console-page.tsx'

export const generateMetadata = titled((t) => t('session.enrol.title'))

export default async function SecondFactorPage() {
  const context = await consoleContext()
  return (
    <>
      <SecondFactorSetup
        forced={context?.next === 'enrol'}
        required={context?.secondFactor.required ?? true}
      />
      {context && <StepUpDialog ways={context} />}
    </>
  )
}
