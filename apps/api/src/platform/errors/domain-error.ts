import type { ProblemCode, Words } from '@meridian/contracts'

/** One field of a request that is wrong. */
export type FieldError = { path: string; message: Words }

type ErrorDetails = {
  /** Named in the answer, so that the client can carry on with the order it already has. */
  outTradeNo?: string
  /** Which fields of the request are wrong. */
  errors?: FieldError[]
  retryAfterSeconds?: number
  cause?: unknown
}

/** A verdict of the business that ends a story: the doors turn its code into an answer. */
export class DomainError extends Error {
  readonly code: ProblemCode
  readonly details: ErrorDetails

  constructor(code: ProblemCode, details: ErrorDetails = {}) {
    super(code, { cause: details.cause })
    this.name = 'DomainError'
    this.code = code
    this.details = details
  }
}
