import type { ApiProblem } from '../api-client/problem.ts'

/** Carries the path of the page being made from the proxy to the page. */
export const PATH_HEADER = 'x-meridian-path'

/** A base no real page lives on: whatever leaves it was not a path of ours. */
const NOWHERE = 'http://console.invalid'

/** Where to go after signing in: a path of this console, or the given home when the text is anything else. */
export function safeReturnPath(text: string | null | undefined, home: string): string {
  if (!text?.startsWith('/') || !URL.canParse(text, NOWHERE)) return home
  const url = new URL(text, NOWHERE)
  if (url.origin !== NOWHERE || url.pathname.startsWith('/api/') || url.pathname === '/sign-in') return home
  return `${url.pathname}${url.search}`
}

/** The path of an address of this console; the home where it is none. */
export function pathWithin(consoleUrl: string, address: string | undefined, home: string): string {
  if (!address || !URL.canParse(address, consoleUrl)) return home
  const { origin, pathname, search } = new URL(address, consoleUrl)
  return origin === new URL(consoleUrl).origin ? safeReturnPath(pathname + search, home) : home
}

/** What the sign-in form can say; each has its text in the messages. */
const signInFailures = [
  'invalid_credentials',
  'code_required',
  'invalid_code',
  'rate_limited',
  'api_unreachable',
  'identity_refused',
  'identity_not_admitted',
  'identity_unreachable',
  'identity_stale',
] as const
export type SignInFailure = (typeof signInFailures)[number]

/** Reduces a problem of the API to what may be told to somebody who is not signed in. */
export function signInFailureOf(problem: Pick<ApiProblem, 'code'> | null): SignInFailure {
  if (problem?.code === 'invalid_request') return 'invalid_credentials'
  return signInFailures.find((failure) => failure === problem?.code) ?? 'api_unreachable'
}

/** The same of a sign-in by the company's identity: nothing was typed that could be wrong. */
export function identityFailureOf(problem: Pick<ApiProblem, 'code'> | null): SignInFailure {
  if (problem?.code === 'forbidden') return 'identity_not_admitted'
  if (problem?.code === 'step_up_required') return 'identity_stale'
  if (problem?.code === 'service_unavailable') return 'identity_unreachable'
  if (problem?.code === 'rate_limited') return 'rate_limited'
  return problem ? 'identity_refused' : 'api_unreachable'
}

/** A page of the session as it says why somebody is back on it. */
export const withFailure = (path: string, failure: SignInFailure): string =>
  `${path}${path.includes('?') ? '&' : '?'}error=${failure}`

/** What brought somebody back to the sign-in page, as next-auth puts it into the address; null for nothing. */
export const readReturnedFailure = (text: unknown): SignInFailure | null =>
  typeof text === 'string' ? (signInFailures.find((failure) => failure === text) ?? 'identity_refused') : null

/** Reads what next-auth reports back; anything unexpected counts as the API being unreachable. */
export const readSignInFailure = (text: string): SignInFailure =>
  signInFailures.find((failure) => failure === text) ??
  (text === 'CredentialsSignin' ? 'invalid_credentials' : 'api_unreachable')
