import { type ProblemCode, problems } from '@meridian/contracts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { logSecurityEvent } from '../../platform/log.ts'
import { isRefusal } from '../log-requests.ts'
import type { ConsoleContext } from './console-call.ts'

/** What ends sessions of operators or of users when it succeeds. */
const ending: readonly string[] = [
  'operator.signIn',
  'operator.signOut',
  'operator.changePassword',
  'operator.confirmEnrolment',
  'operator.revokeSession',
  'staff.disable',
  'staff.resetPassword',
  'staff.resetSecondFactor',
  'staff.revokeSession',
  'user.disable',
  'user.endSessions',
]

/** Half of a sign-in is no refusal. */
const expected: readonly ProblemCode[] = ['code_required']

type Call = { ctx: ConsoleContext; path: string }

async function factsOf({ ctx, path }: Call) {
  // What is known by now: a call that was refused for want of a session has none.
  const session = await ctx.findSession().catch(() => null)
  const { address, requestId } = ctx.from
  return { operator: session?.operator.id ?? null, address, requestId, procedure: path }
}

/** Tells of a call that was not let in, or came too often. */
export async function logRefusal(call: Call, cause: unknown): Promise<void> {
  if (!(cause instanceof DomainError) || expected.includes(cause.code)) return
  const { http: status } = problems[cause.code]
  if (!isRefusal(status)) return
  logSecurityEvent(call.ctx.services.log, 'request_refused', {
    ...(await factsOf(call)),
    code: cause.code,
    status,
  })
}

/** Tells of a call that ended sessions: a sign-in does where the browser had one. */
export async function logEnding(call: Call): Promise<void> {
  if (!ending.includes(call.path)) return
  const facts = await factsOf(call)
  if (facts.operator !== null) logSecurityEvent(call.ctx.services.log, 'sessions_ended', facts)
}
