import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { ApiProvider } from '../../api-client/api-provider.tsx'
import { consoleContext } from '../../api-client/first-read.ts'
import { StepUpDialog } from '../../features/session/step-up-dialog.tsx'
import { NAVIGATION_COOKIE, readNavigationForm } from '../../features/shell/navigation-form.ts'
import { Shell } from '../../features/shell/shell.tsx'
import { Unreachable } from '../../features/shell/unreachable.tsx'
import { FrameMessages } from '../../messages/page-messages.tsx'
import { paths } from '../../paths.ts'
import { OperatorProvider } from '../../session/operator-context.tsx'
import { preference } from '../../session/read-cookies.ts'

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const context = await consoleContext()
  if (context?.next === 'change_password') redirect(paths.newPassword())
  if (context?.next === 'enrol') redirect(paths.secondFactor())
  const form = readNavigationForm(await preference(NAVIGATION_COOKIE))
  return (
    <FrameMessages nouns={['session', 'palette', 'notes', 'exports']}>
      {context ? (
        <ApiProvider>
          <OperatorProvider value={context}>
            <Shell navigation={form}>{children}</Shell>
            <StepUpDialog ways={context} />
          </OperatorProvider>
        </ApiProvider>
      ) : (
        <Unreachable />
      )}
    </FrameMessages>
  )
}
