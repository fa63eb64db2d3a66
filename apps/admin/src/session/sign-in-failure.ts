import type { ApiProblem } from '../api-client/problem.ts'

/** What the sign-in form can say; each has its text in the messages. */
export const signInFailures = [
  'invalid_credentials',
  'code_required',
  'invalid_code',
  'rate_limited',
  'api_unreachable',
] as const
export type SignInFailure = (typeof signInFailures)[number]

/** Reduces a problem of the API to what may be told to somebody who is not signed in. */
export function signInFailureOf(problem: Pick<ApiProblem, 'code'> | null): SignInFailure {
  if (problem?.code === 'invalid_request') return 'invalid_credentials'
  return signInFailures.find((failure) => failure === problem?.code) ?? 'api_unreachable'
}

/** Reads what next-auth reports back; anything unexpected counts as the API being unreachable. */
export const readSignInFailure = (text: string): SignInFailure =>
  signInFailures.find((failure) => failure === text) ??
  (text === 'CredentialsSignin' ? 'invalid_credentials' : 'api_unreachable')
