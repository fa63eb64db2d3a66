import { type Problem, type ProblemCode, problems, type Words } from '@meridian/contracts'
import { isConnectionLost } from '@meridian/db'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { noteFacts } from './log-requests.ts'

export type Language = keyof Words

/** The language of an `Accept-Language` header: zh-CN unless English is preferred. */
export function languageOf(header: string | undefined): Language {
  const ranked = (header ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().split(';')
      const quality = parameters
        .find((parameter) => parameter.trim().startsWith('q='))
        ?.trim()
        .slice(2)
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ tag, quality }) => quality > 0 && /^(zh|en)(-|$)/.test(tag))
    .sort((one, other) => other.quality - one.quality)
  return ranked[0]?.tag.startsWith('en') ? 'en' : 'zh'
}

const frameworkCodes: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid_request',
  FST_ERR_ASYNC_CONSTRAINT: 'invalid_request',
}

/**
 * How PostgreSQL (rights and resources, a stand-by that takes no writes, its limits on statements, locks and idle
 * transactions) and Prisma say "not now". A connection that is lost is `isConnectionLost`.
 */
const refusedCodes = /^(28\w{3}|53\w{3}|57014|25006|25P03|3D000|55000|55P03|P1\d{3}|P20(24|28))$/
const timeoutWords = /connection timeout|query read timeout|timeout exceeded when trying to connect/i

/** Where Prisma keeps the code that PostgreSQL gave. */
const OfPrisma = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: z.object({ originalCode: z.string() }) }) }),
})

/** Whether this is the database refusing or missing, rather than a mistake of ours. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isConnectionLost(error)) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const behindPrisma = OfPrisma.safeParse(error).data?.meta.driverAdapterError.cause.originalCode ?? ''
  return [code, behindPrisma].some((one) => refusedCodes.test(one)) || timeoutWords.test(error.message)
}

/** Whether a client hung up before its body was complete: it says ECONNRESET, as a lost database does. */
export const isHungUp = (error: unknown): boolean =>
  error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'

/** Whether a client left before the first byte of what was about to be sent to it: nobody's mistake. */
const hasLeft = (error: FastifyError | Error, { raw }: FastifyReply): boolean =>
  raw.destroyed && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

/** Every error as a verdict: a DomainError, a mistake in the request, or a bug (internal_error). */
export function toDomainError(error: FastifyError | Error): DomainError {
  if (error instanceof DomainError) return error
  if (isHungUp(error)) return new DomainError('invalid_request')
  if (isDatabaseDown(error))
    return new DomainError('service_unavailable', { retryAfterSeconds: 2, cause: error })
  const known = 'code' in error ? frameworkCodes[error.code] : undefined
  if (known) return new DomainError(known)
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400)
    return new DomainError('malformed_json')
  if ('statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500)
    return new DomainError('invalid_request')
  return new DomainError('internal_error', { cause: error })
}

/** Which fields are wrong, where the verdict names them, in the client's language. */
export const fieldErrorsIn = ({ details: { errors } }: DomainError, language: Language) =>
  errors && { errors: errors.map(({ path, message }) => ({ path, message: message[language] })) }

/** RFC 9457 document of a verdict, in the client's language; nothing internal leaks. */
export function toProblem(error: DomainError, request: FastifyRequest): Problem {
  const { http, ...titles } = problems[error.code]
  const language = languageOf(request.headers['accept-language'])
  const title = titles[language]
  const { outTradeNo } = error.details
  return {
    type: `/api/v1/docs/problems#${error.code}`,
    title,
    status: http,
    detail: title,
    code: error.code,
    request_id: request.id,
    ...fieldErrorsIn(error, language),
    ...(outTradeNo && { out_trade_no: outTradeNo }),
  }
}

type Verdict = { error: unknown; verdict: DomainError; facts?: object }

/** Logs what the answer keeps back: a bug with its stack, and the error that led to a verdict (`cause`). */
export function logVerdict(log: FastifyBaseLogger, { error, verdict, facts = {} }: Verdict): void {
  const { code, cause } = verdict
  if (code === 'internal_error') log.error({ ...facts, err: error }, 'unexpected error')
  else if (cause instanceof Error) log.warn({ ...facts, reason: cause.message, code }, 'request failed')
}

/** The answer to every error of the REST door and of the app itself. */
export function answerProblem(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const verdict = hasLeft(error, reply) ? new DomainError('invalid_request') : toDomainError(error)
  logVerdict(request.log, { error, verdict })
  noteFacts(request, { code: verdict.code })
  const problem = toProblem(verdict, request)
  const { retryAfterSeconds } = verdict.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  return reply
    .code(problem.status)
    .header('content-language', languageOf(request.headers['accept-language']) === 'en' ? 'en' : 'zh-CN')
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(problem)
}
