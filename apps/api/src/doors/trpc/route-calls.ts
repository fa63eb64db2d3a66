import type { TRPCError } from '@trpc/server'
import { noteWrite, wroteLately } from '../../operators/note-write.ts'
import type { SignedInOperator } from '../../operators/sign-in.ts'
import type { Server } from '../../platform/database/open-replica.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { ConsoleContext } from './console-call.ts'

/**
 * Queries about one thing that somebody is about to act upon, about oneself, and those that undo what they wrote. They
 * ask the primary while it answers; lists, counts, searches and figures ask the replica (SPEC §18).
 */
export const currentQueries: ReadonlySet<string> = new Set([
  'alert.detail',
  'audit.detail',
  'device.detail',
  'diagnosis.desk',
  'notification.detail',
  'notification.dryRun',
  'operator.account',
  'operator.context',
  'order.detail',
  'plan.detail',
  'plan.items',
  'reconciliation.day',
  'refund.detail',
  'refund.preview',
  'refund.secondPayments',
  'setting.list',
  'staff.detail',
  'subscription.detail',
  'subscription.previewDays',
  'tag.of',
  'user.detail',
  'webhooks.delivery',
  'webhooks.get',
])

type Reading = { session: SignedInOperator; current: boolean }

/** Where a signed-in operator reads from. */
export const preferredServer = ({ session, current }: Reading): Server =>
  current || wroteLately(session) ? 'primary' : 'replica'

type Call = { ctx: ConsoleContext; session: SignedInOperator; path: string; type: string }
type Ended = { ok: boolean; error?: TRPCError }

/** What the database said, where a call failed for a reason that is no verdict; `next()` of tRPC never throws. */
function failureOf({ ok, error }: Ended): unknown {
  if (ok || error?.code !== 'INTERNAL_SERVER_ERROR') return null
  return error.cause instanceof DomainError ? null : (error.cause ?? error)
}

/** Runs a call of a signed-in operator with the server that it reads from, and notes where it may have written. */
export async function routeCall<Result extends Ended>(
  { ctx, session, path, type }: Call,
  next: () => Promise<Result>,
): Promise<Result> {
  const { services } = ctx
  if (!services.replica) return next()
  if (type !== 'query') {
    const result = await next()
    await noteWrite(services, session.sessionId).catch((error: unknown) =>
      services.log.warn({ reason: String(error), procedure: path }, 'a write of a session was not noted'),
    )
    return result
  }
  const failed = new Map<unknown, Result>()
  const attempt = async () => {
    const result = await next()
    const failure = failureOf(result)
    if (failure === null) return result
    failed.set(failure, result)
    throw failure
  }
  const prefers = preferredServer({ session, current: currentQueries.has(path) })
  try {
    return await services.reads.read(prefers, attempt)
  } catch (error) {
    const result = failed.get(error)
    if (result) return result
    throw error
  }
}
