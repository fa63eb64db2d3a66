import type { Services } from '../services.ts'
import type { SignedInOperator } from './sign-in.ts'

const wroteForMs = 10_000

/** Whether the session wrote within ten seconds: it reads what it wrote, so not from a replica (SPEC §18). */
export const wroteLately = ({ wroteAt, at }: Pick<SignedInOperator, 'wroteAt' | 'at'>): boolean =>
  wroteAt !== null && at.getTime() - wroteAt.getTime() < wroteForMs

/** Keeps with the session, for the processes of all replicas, that it wrote just now. */
export async function noteWrite({ database, runtime }: Services, sessionId: string): Promise<void> {
  await database.prisma.operatorSession.updateMany({
    where: { id: sessionId },
    data: { wroteAt: runtime.now() },
  })
}
