import { mayOperator, type NamesReveal } from '@meridian/contracts'
import type { Database } from '@meridian/db'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import type { NameView } from '../platform/sql/show-nickname.ts'
import { transactionTime } from '../platform/time/business-time.ts'
import type { SignedInOperator } from './sign-in.ts'

/** How a session sees the names of users: whole where it revealed them, while the role may. */
export const namesFor = ({
  operator,
  namesRevealedAt,
}: Pick<SignedInOperator, 'operator' | 'namesRevealedAt'>): NameView =>
  namesRevealedAt !== null && mayOperator(operator.role, 'identifier.reveal') ? 'whole' : 'masked'

type Switcher = { session: SignedInOperator; from: RequestMeta }

/** Shows the names of users to this session until it ends or hides them; the audit log keeps once who does so and why. */
export async function revealNames(
  database: Database,
  { reason }: NamesReveal,
  { session: { operator, sessionId }, from }: Switcher,
): Promise<void> {
  await database.$transaction(async (db) => {
    const { count } = await db.operatorSession.updateMany({
      where: { id: sessionId, namesRevealedAt: null },
      data: { namesRevealedAt: await transactionTime(db), namesReason: reason },
    })
    if (count === 0) return
    const subject = { type: 'session', id: sessionId }
    await writeAudit(
      db,
      { operatorId: operator.id, action: 'names.reveal', subject, after: { reason } },
      from,
    )
  })
}

/** Masks the names of users for this session again. */
export async function hideNames(
  database: Database,
  { session: { operator, sessionId }, from }: Switcher,
): Promise<void> {
  await database.$transaction(async (db) => {
    const { count } = await db.operatorSession.updateMany({
      where: { id: sessionId, namesRevealedAt: { not: null } },
      data: { namesRevealedAt: null, namesReason: null },
    })
    if (count === 0) return
    const subject = { type: 'session', id: sessionId }
    await writeAudit(db, { operatorId: operator.id, action: 'names.hide', subject }, from)
  })
}
