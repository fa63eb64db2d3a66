import type { ProblemPage } from './answers.ts'
import type { Check } from './check.ts'
import type { PhoneAnswer } from './phone.ts'

/** The codes of the table of problems of the API: a test compares them with it. */
export type ProblemCode =
  | 'invalid_request'
  | 'malformed_json'
  | 'not_found'
  | 'method_not_allowed'
  | 'idempotency_in_progress'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'sandbox_only'
  | 'sample_data_playing'
  | 'sample_data_unavailable'
  | 'note_kept'
  | 'range_too_wide'
  | 'rate_limited'
  | 'internal_error'
  | 'service_unavailable'
  | 'password_too_common'
  | 'password_has_name'
  | 'unauthenticated'
  | 'token_expired'
  | 'invalid_login_code'
  | 'invalid_refresh_token'
  | 'invalid_credentials'
  | 'forbidden'
  | 'password_change_required'
  | 'user_disabled'
  | 'second_person_required'
  | 'account_too_new'
  | 'step_up_required'
  | 'password_required'
  | 'factor_not_trusted'
  | 'second_factor_required'
  | 'code_required'
  | 'invalid_code'
  | 'login_not_configured'
  | 'sale_not_allowed'
  | 'channel_not_supported'
  | 'refund_by_apple'
  | 'plan_not_found'
  | 'order_not_found'
  | 'price_changed'
  | 'order_already_paid'
  | 'order_closed'
  | 'refund_not_possible'
  | 'refund_being_sent'
  | 'decision_not_possible'
  | 'notification_unreadable'
  | 'price_below_floor'
  | 'payment_platform_error'
  | 'payment_not_configured'
  | 'payment_platform_timeout'
  | 'subscription_required'
  | 'device_not_registered'
  | 'proof_required'
  | 'proof_invalid'
  | 'user_not_found'
  | 'device_not_found'
  | 'report_not_found'
  | 'device_already_bound'
  | 'device_limit_reached'
  | 'report_limit_reached'
  | 'grant_limit_reached'
  | 'erasure_blocked'
  | 'changed_meanwhile'
  | 'code_taken'
  | 'already_waiting'
  | 'last_owner'
  | 'email_taken'

/** A problem code of the API, or that no answer of the API came. */
export type ClientProblemCode = ProblemCode | 'unreachable'

/** Whether a problem has a code; that of a newer API is handed on as it is. */
export const isCode = (code: string | undefined): code is ProblemCode => code !== undefined

/** Why a call did not do what it was asked for: what the API answered (RFC 9457), or that it could not be reached. */
export class ProblemError extends Error {
  // Declared only: what the constructor sets needs no code of its own in a file that is weighed by the byte.
  declare readonly code: ClientProblemCode
  /** 0 when no answer came. */
  declare readonly status: number
  /** To be shown, in the language of the client. */
  declare readonly title: string
  declare readonly requestId: string | null
  /** Which fields of the request are wrong. */
  declare readonly errors: readonly { path: string; message: string }[]
  /** The order that the problem is about. */
  declare readonly outTradeNo: string | null
  /** When to come back, where the API said so. */
  declare readonly retryAfterSeconds: number | null

  constructor(
    code: ClientProblemCode,
    problem: ProblemPage & { status?: number } = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(problem.title || code)
    this.name = 'ProblemError'
    this.code = code
    this.status = problem.status || 0
    this.title = problem.title || ''
    this.requestId = problem.request_id || null
    this.errors = problem.errors || []
    this.outTradeNo = problem.out_trade_no || null
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether something that was thrown is one of these problems; any problem when none is named. */
export const isProblem = (error: unknown, ...codes: ClientProblemCode[]): error is ProblemError =>
  error instanceof ProblemError && (codes.length === 0 || codes.includes(error.code))

/** What was answered; @throws ProblemError where somebody else answered, such as the sign-in page of a network. */
export function answered<Value>({ body }: PhoneAnswer, is: Check<Value>): Value {
  if (is(body)) return body
  throw new ProblemError('unreachable')
}
