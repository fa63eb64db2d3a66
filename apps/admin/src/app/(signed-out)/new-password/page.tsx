import { consoleContext } from '../../../api-client/first-read.ts'
import { NewPasswordForm } from '../../../features/session/new-password-form.tsx'
import { titled } from '../../../kit/page/console-page.tsx'

export const generateMetadata = titled((t) => t('session.password.title'))

export default async function NewPasswordPage() {
  const context = await consoleContext()
  return (
    <NewPasswordForm
      email={context?.operator.email ?? ''}
      required={context?.operator.mustChangePassword ?? false}
    />
  )
}
