import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { isPassword } from './passwords.ts'
import type { SignedInOperator } from './sign-in.ts'
import { takeAllowance, tracedWhenRefused } from './sign-in-allowance.ts'
import { traceFailure } from './trace-sign-in.ts'

type Check = { password: string; from: RequestMeta }

/**
 * A signed-in operator shows their password again: counted like a sign-in, and what fails leaves a trace.
 * @throws DomainError invalid_credentials when it is wrong, rate_limited
 */
export async function confirmPassword(
  services: Services,
  { operator, sessionId }: SignedInOperator,
  { password, from }: Check,
): Promise<void> {
  const { prisma } = services.database
  const attempt = { email: operator.email, from }
  const { known, giveBack } = await takeAllowance(services, attempt)
  const { passwordHash } = await prisma.operator.findUniqueOrThrow({
    where: { id: operator.id },
    select: { passwordHash: true },
  })
  const matches = await tracedWhenRefused(services, attempt, {
    work: () => isPassword(passwordHash, password, { stranger: !known }),
    reason: 'busy',
  })
  if (matches) return giveBack()
  await traceFailure(services, attempt, 'wrong_current_password')
  const subject = { type: 'session', id: sessionId }
  await writeAudit(prisma, { operatorId: operator.id, action: 'operator.wrong_password', subject }, from)
  throw new DomainError('invalid_credentials')
}
