import { z } from 'zod'

const Problem = z.object({
  code: z.string(),
  title: z.string(),
  requestId: z.string(),
  /** Which fields of the request are wrong. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})
const Shape = z.object({ data: z.object({ problem: Problem }) })

/** What the API says went wrong, in the operator's language. */
export type ApiProblem = z.infer<typeof Problem>

/** The problem an API call failed with; null when the API did not get to answer. */
export function problemOf(error: unknown): ApiProblem | null {
  return Shape.safeParse(error).data?.data.problem ?? null
}

/** Codes after which the operator must sign in again. */
const sessionGone: readonly string[] = ['unauthenticated', 'token_expired']

export const isSessionGone = (problem: ApiProblem | null): boolean =>
  problem !== null && sessionGone.includes(problem.code)
