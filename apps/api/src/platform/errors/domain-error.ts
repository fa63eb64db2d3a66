import { type ProblemCode, Words } from '@meridian/contracts'
import { z } from 'zod'

/** One field of a request that is wrong. */
type FieldError = { path: string; message: Words }

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

/** A client learns from a few; nobody reads thousands. */
export const maxFieldErrors = 20

const wordings = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError }

/** What is wrong with a value that its schema has refused, in every language: a rule of ours brings its own words. */
export function findFieldErrors(schema: z.ZodType, value: unknown): FieldError[] {
  const read = (language: keyof Words) => {
    const error: z.core.$ZodErrorMap = (issue) => ownWords(issue)?.[language] ?? wordings[language](issue)
    return schema.safeParse(value, { error }).error?.issues.slice(0, maxFieldErrors) ?? []
  }
  const inEnglish = read('en')
  return read('zh').map(({ path, message }, index) => ({
    path: path.join('../..'),
    message: { zh: message, en: inEnglish[index]?.message ?? message },
  }))
}

const ownWords = (issue: z.core.$ZodRawIssue): Words | undefined =>
  issue.code === 'custom' ? Words.safeParse(issue.params).data : undefined
