import type { Permission } from '@meridian/contracts'
import type { FastifyRequest } from 'fastify'
import type { RequestMeta } from '../../audit/write-audit.ts'
import type { SignedInOperator } from '../../operators/sign-in.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'
import { type Language, languageOf } from '../problem.ts'
import { requirePermission, requireSecondFactor } from '../trpc/procedures.ts'
import { header, readSession } from '../trpc/trpc-door.ts'
import { readQuery } from './kept-query.ts'

/** Who takes a file out, and from where. */
export type FileTaker = {
  session: SignedInOperator
  operator: { id: string; email: string }
  from: RequestMeta
  at: Date
  language: Language
}

/**
 * Who asks; with a permission, somebody who has it.
 * @throws DomainError unauthenticated, password_change_required, second_factor_required, forbidden, step_up_required
 */
export async function readTaker(
  services: Services,
  request: FastifyRequest,
  permission?: Permission,
): Promise<FileTaker> {
  const session = await readSession(services, request)
  if (!session) throw new DomainError('unauthenticated')
  if (session.operator.mustChangePassword) throw new DomainError('password_change_required')
  requireSecondFactor(session)
  if (permission) requirePermission(session, permission)
  const { address, userAgent } = request.browser ?? { address: request.ip, userAgent: '' }
  return {
    session,
    operator: session.operator,
    from: { address, userAgent, requestId: request.id },
    at: session.at,
    language: languageOf(header(request, 'accept-language')),
  }
}

/**
 * What the console sent along.
 * @throws DomainError invalid_request
 */
export const readSent = (request: FastifyRequest): unknown => readQuery(request.body)
