import { type Permission, type ProblemCode, problems } from '@meridian/contracts'
import { initTRPC, TRPCError } from '@trpc/server'
import superjson from 'superjson'
import { DomainError } from '../../domain-error.ts'
import { requireProof } from '../../operators/prove-identity.ts'
import { toDomainError } from '../problem.ts'
import type { ConsoleContext } from './context.ts'
import { requirePermission, requireSecondFactor } from './require-permission.ts'

/** What tRPC itself refuses before a procedure is reached. */
const ownCodes: Partial<Record<TRPCError['code'], ProblemCode>> = {
  BAD_REQUEST: 'invalid_request',
  PARSE_ERROR: 'malformed_json',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
}

const t = initTRPC.context<ConsoleContext>().create({
  transformer: superjson,
  errorFormatter: ({ shape, error, ctx }) => {
    const code =
      error.cause instanceof DomainError ? error.cause.code : (ownCodes[error.code] ?? 'internal_error')
    const title = problems[code][ctx?.language ?? 'zh']
    return {
      ...shape,
      message: title,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        problem: { code, title, requestId: ctx?.from.requestId ?? '' },
      },
    }
  },
})

export const { router, createCallerFactory } = t

/** Verdicts of the business keep their code; anything else is a bug and is logged as one. `next()` never throws. */
const translateProblems = t.middleware(async ({ ctx, next, path }) => {
  const result = await next()
  if (result.ok || result.error.code === 'BAD_REQUEST') return result
  const cause = result.error.cause ?? result.error
  const verdict = cause instanceof TRPCError ? null : toDomainError(cause)
  if (!verdict) return result
  if (verdict.code === 'internal_error') ctx.services.log.error({ err: cause, path }, 'unexpected error')
  throw new TRPCError({ code: problems[verdict.code].trpc, message: verdict.code, cause: verdict })
})

/** Anybody who comes through the console. */
export const consoleProcedure = t.procedure.use(translateProblems)

/** A signed-in operator, even one who must choose a new password first. */
export const sessionProcedure = consoleProcedure.use(async ({ ctx, next }) => {
  const session = await ctx.findSession()
  if (!session) throw new DomainError('unauthenticated')
  return next({ ctx: { ...ctx, session } })
})

/** A signed-in operator about their own account: before the second factor stands. */
export const accountProcedure = sessionProcedure.use(({ ctx, next }) => {
  if (ctx.session.operator.mustChangePassword) throw new DomainError('password_change_required')
  return next({ ctx })
})

/** A signed-in operator at work. */
export const operatorProcedure = accountProcedure.use(({ ctx, next }) => {
  requireSecondFactor(ctx.session)
  return next({ ctx })
})

/** An operator who has just shown their second factor. */
export const provenProcedure = operatorProcedure.use(({ ctx, next }) => {
  requireProof(ctx.session)
  return next({ ctx })
})

/** An operator whose role has this permission, and who has just shown their second factor where it is guarded. */
export const permittedProcedure = (permission: Permission) =>
  operatorProcedure.use(({ ctx, next }) => {
    requirePermission(ctx.session, permission)
    return next({ ctx })
  })
