import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { SignInForm } from '../../../features/session/sign-in-form.tsx'
import { paths } from '../../../paths.ts'
import { safeReturnPath } from '../../../session/return-path.ts'
import { operatorToken } from '../../../session/session-cookie.ts'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('session.signIn')
  return { title: t('title') }
}

/** Only the API knows whether a session still holds: a cookie alone must not lead away from here. */
async function isSignedIn(): Promise<boolean> {
  if ((await operatorToken()) === null) return false
  const api = await apiForThisOperator()
  return api.operator.context.query().then(
    () => true,
    () => false,
  )
}

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, unknown>>
}) {
  const { next } = await searchParams
  const wanted = typeof next === 'string' ? next : null
  const returnPath = safeReturnPath(wanted, paths.home())
  if (await isSignedIn()) redirect(returnPath)
  return <SignInForm returnPath={returnPath} ended={wanted !== null} />
}
