/** What the API says went wrong, in the operator's language. */
export type ApiProblem = {
  code: string
  title: string
  requestId: string
  /** Which fields of the request are wrong. */
  errors?: { path: string; message: string }[]
}

type Fields<Name extends string> = { readonly [Field in Name]?: unknown }

const hasFields = <Name extends string>(value: unknown, ...names: readonly Name[]): value is Fields<Name> =>
  typeof value === 'object' && value !== null && names.every((name) => name in value)

const isText = (value: unknown): value is string => typeof value === 'string'

const isFault = (value: unknown): value is { path: string; message: string } =>
  hasFields(value, 'path', 'message') && isText(value.path) && isText(value.message)

/**
 * The problem an API call failed with; null when the API did not get to answer. Read by hand: every page reads
 * problems, and zod would be 30 KB of each first load.
 */
export function problemOf(error: unknown): ApiProblem | null {
  if (!hasFields(error, 'data') || !hasFields(error.data, 'problem')) return null
  const { problem } = error.data
  if (!hasFields(problem, 'code', 'title', 'requestId')) return null
  const { code, title, requestId } = problem
  if (!isText(code) || !isText(title) || !isText(requestId)) return null
  if (!hasFields(problem, 'errors') || problem.errors === undefined) return { code, title, requestId }
  const { errors } = problem
  return Array.isArray(errors) && errors.every(isFault) ? { code, title, requestId, errors } : null
}

/** The problem that a page of the API tells (RFC 9457); null for any other page. */
export function problemIn(page: unknown): ApiProblem | null {
  if (!hasFields(page, 'code', 'title', 'request_id')) return null
  const { code, title, request_id: requestId } = page
  return isText(code) && isText(title) && isText(requestId) ? { code, title, requestId } : null
}

/** Codes after which the operator must sign in again. */
const sessionGone: readonly string[] = ['unauthenticated', 'token_expired']

export const isSessionGone = (problem: ApiProblem | null): boolean =>
  problem !== null && sessionGone.includes(problem.code)
