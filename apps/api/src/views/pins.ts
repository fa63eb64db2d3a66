import { MOST_PINS, type PinReference } from '@meridian/contracts'
import type { Database } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'

/**
 * Keeps a thing at hand; one that is kept already stays where it is.
 * @throws DomainError invalid_request beyond twenty
 */
export async function pin(database: Database, { kind, id }: PinReference, actor: Actor): Promise<void> {
  const { operatorId, from } = actor
  await database.$transaction(async (db) => {
    const others = await db.pin.count({ where: { operatorId, NOT: { kind, subjectId: id } } })
    if (others >= MOST_PINS)
      throw new DomainError('invalid_request', {
        errors: [{ path: 'id', message: { zh: '固定的内容过多', en: 'too many pins' } }],
      })
    const { count } = await db.pin.createMany({
      data: [{ operatorId, kind, subjectId: id }],
      skipDuplicates: true,
    })
    if (count > 0) await writeAudit(db, { operatorId, action: 'pin.add', subject: { type: kind, id } }, from)
  })
}

/** Keeps a thing at hand no longer. */
export async function unpin(database: Database, { kind, id }: PinReference, actor: Actor): Promise<void> {
  const { operatorId, from } = actor
  await database.$transaction(async (db) => {
    const { count } = await db.pin.deleteMany({ where: { operatorId, kind, subjectId: id } })
    if (count > 0)
      await writeAudit(db, { operatorId, action: 'pin.remove', subject: { type: kind, id } }, from)
  })
}
