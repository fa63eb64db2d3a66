import type { ProblemCode, Words } from '@meridian/contracts'

/** One field of a request that is wrong. */
export type Fault = { path: string; message: Words }

type Particulars = {
  /** Named in the answer, so that the client can carry on with the order it already has. */
  outTradeNo?: string
  /** Which fields of the request are wrong. */
  errors?: Fault[]
  retryAfterSeconds?: number
  cause?: unknown
}

/** A verdict of the business that ends a story: the doors turn its code into an answer. */
export class DomainError extends Error {
  readonly code: ProblemCode
  readonly particulars: Particulars

  constructor(code: ProblemCode, particulars: Particulars = {}) {
    super(code, { cause: particulars.cause })
    this.name = 'DomainError'
    this.code = code
    this.particulars = particulars
  }
}
