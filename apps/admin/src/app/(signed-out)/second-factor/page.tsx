import { SecondFactorSetup } from '../../../features/session/second-factor-setup.tsx'
import { StepUpDialog } from '../../../features/session/step-up-dialog.tsx'
import { titled } from '../../../kit/page/console-page.tsx'
import { consoleContext } from '../../../session/console-context.ts'

export const generateMetadata = titled((t) => t('session.enrol.title'))

export default async function SecondFactorPage() {
  const context = await consoleContext()
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
