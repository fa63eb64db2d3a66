import type { Database } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'

type Audience = 'me' | 'everybody'

const entryOf = (action: string, operatorId: string, audience: Audience) => ({
  operatorId,
  action,
  subject: { type: 'operator', id: operatorId },
  after: { audience },
})

/** Takes the checklist off the dashboard, one's own or everybody's; its page stays. */
export const hideChecklist =
  (audience: Audience) =>
  async (database: Database, _: unknown, { operatorId, from }: Actor): Promise<void> => {
    const everybody = audience === 'everybody'
    await database.$transaction(async (db) => {
      await db.checklistDismissal.upsert({
        where: { operatorId },
        create: { operatorId, everybody },
        update: { everybody },
      })
      await writeAudit(db, entryOf('checklist.hide', operatorId, audience), from)
    })
  }

/** Puts it back: on one's own dashboard, or on everybody's, whichever owner took it away. */
export const restoreChecklist =
  (audience: Audience) =>
  async (database: Database, _: unknown, { operatorId, from }: Actor): Promise<void> => {
    const taken = audience === 'everybody' ? { OR: [{ everybody: true }, { operatorId }] } : { operatorId }
    await database.$transaction(async (db) => {
      await db.checklistDismissal.deleteMany({ where: taken })
      await writeAudit(db, entryOf('checklist.show', operatorId, audience), from)
    })
  }
