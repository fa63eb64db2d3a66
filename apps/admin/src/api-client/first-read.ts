import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { logSilence } from '../log.ts'
import { paths } from '../paths.ts'
import { PATH_HEADER } from '../session/sign-in.ts'
import { apiForThisOperator } from './api-calls.ts'
import { requestIdOf } from './incoming-request.ts'
import { isSessionGone, problemOf } from './problem.ts'

/**
 * Awaits what a page needs first. A session that is gone leads to sign-in and back, a missing thing to the
 * not-found page. Any other failure is on record and null: the page then shows its own error state, with retry.
 */
export async function firstRead<Read>(reading: Promise<Read>): Promise<Read | null> {
  try {
    return await reading
  } catch (error) {
    const problem = problemOf(error)
    const incoming = await headers()
    if (isSessionGone(problem)) redirect(paths.signIn(incoming.get(PATH_HEADER)))
    if (problem?.code === 'password_change_required') redirect(paths.newPassword())
    if (problem?.code === 'second_factor_required') redirect(paths.secondFactor())
    if (problem?.code === 'not_found' || problem?.code.endsWith('_not_found')) notFound()
    logSilence(error, problem?.requestId ?? requestIdOf(incoming))
    return null
  }
}

/** What every page of an operator needs to know, asked for once per request; null where the API does not answer. */
export const consoleContext = cache(async () =>
  firstRead((await apiForThisOperator()).operator.context.query()),
)
