import { Problem, type ProblemCode, problems } from '@meridian/contracts'

/** The declared failures of an operation, by status, for its schema. */
export function failures(...codes: ProblemCode[]): Record<number, typeof Problem> {
  return Object.fromEntries(codes.map((code) => [problems[code].http, Problem]))
}
