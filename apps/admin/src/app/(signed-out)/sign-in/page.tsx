import { redirect } from 'next/navigation'
import { apiForThisOperator } from '../../../api-client/api-calls.ts'
import { isSessionGone, problemOf } from '../../../api-client/problem.ts'
import { SignInForm } from '../../../features/session/sign-in-form.tsx'
import { titled } from '../../../kit/page/console-page.tsx'
import { paths } from '../../../paths.ts'
import { operatorToken } from '../../../session/read-cookies.ts'
import { readReturnedFailure, safeReturnPath, withFailure } from '../../../session/sign-in.ts'
import { readTicket } from '../../../session/sign-in-ticket.ts'

export const generateMetadata = titled((t) => t('session.signIn.title'))

/** Only the API knows whether a session still holds: a cookie alone must not lead away from here. */
async function sessionState(): Promise<'none' | 'open' | 'ended'> {
  if ((await operatorToken()) === null) return 'none'
  const api = await apiForThisOperator()
  return api.operator.context.query().then(
    () => 'open',
    (error) => (isSessionGone(problemOf(error)) ? 'ended' : 'none'),
  )
}

/** By password alone where the API does not say otherwise: it is the API that decides what it takes. */
async function signInOptions() {
  const api = await apiForThisOperator()
  return api.operator.signInOptions.query().catch(() => ({ identity: null, passwords: 'on' as const }))
}

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, unknown>>
}) {
  const { next, error } = await searchParams
  const returnPath = safeReturnPath(typeof next === 'string' ? next : null, paths.home())
  const session = await sessionState()
  const returned = readReturnedFailure(error)
  const waitsForCode = (await readTicket()) !== null && returned === null
  // Who has a session open was about to show anew who they are: that page says what became of it.
  if (session === 'open' && returned) redirect(withFailure(paths.stepUp(), returned))
  if (session === 'open' && waitsForCode) redirect(paths.stepUp())
  if (session === 'open') redirect(returnPath)
  return (
    <SignInForm
      returnPath={returnPath}
      ended={session === 'ended'}
      options={await signInOptions()}
      {...{ waitsForCode, returned }}
    />
  )
}
