import {
  guardedPermissions,
  mayOperator,
  needsSecondFactor,
  type Permission,
  type ProblemCode,
  problems,
} from '@meridian/contracts'
import { initTRPC, TRPCError } from '@trpc/server'
import superjson from 'superjson'
import type { Actor } from '../../audit/write-audit.ts'
import { hasFactor, requireProof } from '../../operators/prove-identity.ts'
import type { SignedInOperator } from '../../operators/sign-in.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { areOrdersWatched, noteOrder } from '../../platform/measures/order-measures.ts'
import { fieldErrorsIn, logVerdict, toDomainError } from '../problem.ts'
import type { ConsoleContext } from './console-call.ts'
import { logEnding, logRefusal } from './log-security.ts'
import { routeCall } from './route-calls.ts'

/** @throws DomainError second_factor_required where the role takes one and none is set up */
export function requireSecondFactor(session: SignedInOperator): void {
  if (needsSecondFactor(session.operator.role) && !hasFactor(session))
    throw new DomainError('second_factor_required')
}

/** @throws DomainError forbidden where the role may not */
function requireRole({ operator }: SignedInOperator, permission: Permission): void {
  if (!mayOperator(operator.role, permission)) throw new DomainError('forbidden')
}

/** @throws DomainError forbidden; step_up_required where the permission is guarded and no proof is fresh */
export function requirePermission(session: SignedInOperator, permission: Permission): void {
  requireRole(session, permission)
  if (guardedPermissions.includes(permission)) requireProof(session)
}

/** What tRPC itself refuses before a procedure is reached. */
const ownCodes: Partial<Record<TRPCError['code'], ProblemCode>> = {
  BAD_REQUEST: 'invalid_request',
  PARSE_ERROR: 'malformed_json',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
}

/** Who may call a procedure, as data: the checks below enforce it, and a test walks every procedure by it. */
export type Access = {
  who: 'anybody' | 'session' | 'account' | 'operator'
  permission?: Permission
  proof?: boolean
}

const t = initTRPC
  .context<ConsoleContext>()
  .meta<Access>()
  .create({
    transformer: superjson,
    errorFormatter: ({ shape, error, ctx }) => {
      const verdict = error.cause instanceof DomainError ? error.cause : null
      const code = verdict?.code ?? ownCodes[error.code] ?? 'internal_error'
      const language = ctx?.language ?? 'zh'
      const title = problems[code][language]
      const faults = verdict && fieldErrorsIn(verdict, language)
      return {
        ...shape,
        message: title,
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          problem: { code, title, requestId: ctx?.from.requestId ?? '', ...faults },
        },
      }
    },
  })

export const { router, createCallerFactory } = t

/** An operator who looks at an order, or does something with it, names it. What cannot be read was not asked for. */
async function noteOrderOf(getRawInput: () => Promise<unknown>): Promise<void> {
  if (!areOrdersWatched()) return
  const input = await getRawInput().catch(() => null)
  if (typeof input !== 'object' || input === null || !('outTradeNo' in input)) return
  if (typeof input.outTradeNo === 'string') noteOrder(input.outTradeNo)
}

/** Verdicts of the business keep their code; anything else is a bug and is logged as one. `next()` never throws. */
const translateProblems = t.middleware(async ({ ctx, next, path, getRawInput }) => {
  const result = await next()
  if (result.ok) await noteOrderOf(getRawInput)
  if (result.ok) await logEnding({ ctx, path })
  if (result.ok || result.error.code === 'BAD_REQUEST') return result
  const cause = result.error.cause ?? result.error
  await logRefusal({ ctx, path }, cause)
  const verdict = cause instanceof TRPCError ? null : toDomainError(cause)
  if (!verdict) return result
  const facts = { procedure: path, reqId: ctx.from.requestId }
  logVerdict(ctx.services.log, { error: cause, verdict, facts })
  throw new TRPCError({ code: problems[verdict.code].trpc, message: verdict.code, cause: verdict })
})

/** Anybody who comes through the console. */
export const consoleProcedure = t.procedure.meta({ who: 'anybody' }).use(translateProblems)

/** A signed-in operator, even one who must choose a new password first. */
export const sessionProcedure = consoleProcedure
  .meta({ who: 'session' })
  .use(async ({ ctx, next, path, type }) => {
    const session = await ctx.findSession()
    if (!session) throw new DomainError('unauthenticated')
    const actor: Actor = { operatorId: session.operator.id, from: ctx.from }
    return routeCall({ ctx, session, path, type }, () => next({ ctx: { ...ctx, session, actor } }))
  })

/** A signed-in operator about their own account: before the second factor stands. */
export const accountProcedure = sessionProcedure.meta({ who: 'account' }).use(({ ctx, next }) => {
  if (ctx.session.operator.mustChangePassword) throw new DomainError('password_change_required')
  return next({ ctx })
})

/** A signed-in operator at work. */
export const operatorProcedure = accountProcedure.meta({ who: 'operator' }).use(({ ctx, next }) => {
  requireSecondFactor(ctx.session)
  return next({ ctx })
})

/** An operator whose role has this permission, to look without touching: no second factor is asked for. */
export const readingProcedure = (permission: Permission) =>
  operatorProcedure.meta({ who: 'operator', permission }).use(({ ctx, next }) => {
    requireRole(ctx.session, permission)
    return next({ ctx })
  })

/** An operator who has just shown their second factor. */
export const provenProcedure = operatorProcedure
  .meta({ who: 'operator', proof: true })
  .use(({ ctx, next }) => {
    requireProof(ctx.session)
    return next({ ctx })
  })

/** An operator whose role has this permission, and who has just shown their second factor where it is guarded. */
export const permittedProcedure = (permission: Permission) =>
  operatorProcedure
    .meta({ who: 'operator', permission, proof: guardedPermissions.includes(permission) })
    .use(({ ctx, next }) => {
      requirePermission(ctx.session, permission)
      return next({ ctx })
    })
