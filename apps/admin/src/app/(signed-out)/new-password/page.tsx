import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { firstRead } from '../../../api-client/first-read.ts'
import { NewPasswordForm } from '../../../features/session/new-password-form.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('session.password')
  return { title: t('title') }
}

export default async function NewPasswordPage() {
  const api = await apiForThisOperator()
  const context = await firstRead(api.operator.context.query())
  return (
    <NewPasswordForm
      email={context?.operator.email ?? ''}
      required={context?.operator.mustChangePassword ?? false}
    />
  )
}
