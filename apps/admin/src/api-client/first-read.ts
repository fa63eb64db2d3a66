import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { paths } from '../paths.ts'
import { PATH_HEADER } from '../session/return-path.ts'
import { isSessionGone, problemOf } from './problem.ts'

/**
 * Awaits what a page needs first. A session that is gone leads to sign-in and back, a missing thing to the
 * not-found page. Any other failure is null: the page then shows its own error state, with retry.
 */
export async function firstRead<Read>(reading: Promise<Read>): Promise<Read | null> {
  try {
    return await reading
  } catch (error) {
    const problem = problemOf(error)
    if (isSessionGone(problem)) redirect(paths.signIn((await headers()).get(PATH_HEADER)))
    if (problem?.code === 'password_change_required') redirect(paths.newPassword())
    if (problem?.code === 'second_factor_required') redirect(paths.secondFactor())
    if (problem?.code === 'not_found' || problem?.code.endsWith('_not_found')) notFound()
    return null
  }
}
