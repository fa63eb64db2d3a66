import type { ProblemPage } from './answers.ts'
import type { ProblemCode } from './problem-code.ts'

/** A problem code of the API, or that no answer of the API came. */
export type ClientProblemCode = ProblemCode | 'unreachable'

/** Whether a problem has a code; that of a newer API is handed on as it is. */
export const isCode = (code: string | undefined): code is ProblemCode => code !== undefined

/** Why a call did not do what it was asked for: what the API answered (RFC 9457), or that it could not be reached. */
export class ProblemError extends Error {
  readonly code: ClientProblemCode
  /** 0 when no answer came. */
  readonly status: number
  /** To be shown, in the language of the client. */
  readonly title: string
  readonly requestId: string | null
  /** Which fields of the request are wrong. */
  readonly errors: readonly { path: string; message: string }[]
  /** The order that the problem is about. */
  readonly outTradeNo: string | null
  /** When to come back, where the API said so. */
  readonly retryAfterSeconds: number | null

  constructor(
    code: ClientProblemCode,
    problem: ProblemPage & { status?: number } = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(problem.title ?? code)
    this.name = 'ProblemError'
    this.code = code
    this.status = problem.status ?? 0
    this.title = problem.title ?? ''
    this.requestId = problem.request_id ?? null
    this.errors = problem.errors ?? []
    this.outTradeNo = problem.out_trade_no ?? null
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether something that was thrown is one of these problems; any problem when none is named. */
export const isProblem = (error: unknown, ...codes: ClientProblemCode[]): error is ProblemError =>
  error instanceof ProblemError && (codes.length === 0 || codes.includes(error.code))
