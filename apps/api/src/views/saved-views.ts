import {
  MOST_SAVED_VIEWS,
  mayOperator,
  type NewSavedView,
  type OperatorRole,
  type SavedView,
  type SavedViewEdit,
} from '@meridian/contracts'
import type { Database } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'

/** An operator's own views of one list, and those that others share. */
export async function listViews(database: Database, page: string, operatorId: string): Promise<SavedView[]> {
  const views = await database.savedView.findMany({
    where: { page, OR: [{ operatorId }, { everybody: true, operator: { disabledAt: null } }] },
    orderBy: [{ everybody: 'asc' }, { name: 'asc' }],
    take: 200,
    select: {
      id: true,
      name: true,
      query: true,
      everybody: true,
      operatorId: true,
      operator: { select: { email: true } },
    },
  })
  return views.map(({ operatorId: owner, operator, ...view }) => ({
    ...view,
    mine: owner === operatorId,
    ownerEmail: operator.email,
  }))
}

/**
 * Keeps a view under its name; the same name again replaces it.
 * @throws DomainError forbidden for one who may not share, invalid_request beyond thirty of one list
 */
export async function saveView(
  database: Database,
  view: NewSavedView,
  { operatorId, role, from }: Actor & { role: OperatorRole },
): Promise<void> {
  if (view.everybody && !mayOperator(role, 'view.share')) throw new DomainError('forbidden')
  const { page, name, query, everybody } = view
  await database.$transaction(async (db) => {
    const others = await db.savedView.count({ where: { operatorId, page, NOT: { name } } })
    if (others >= MOST_SAVED_VIEWS)
      throw new DomainError('invalid_request', {
        errors: [{ path: 'name', message: { zh: '视图过多', en: 'too many views' } }],
      })
    const { id } = await db.savedView.upsert({
      where: { operatorId_page_name: { operatorId, page, name } },
      create: { id: newId(), operatorId, page, name, query, everybody },
      update: { query, everybody },
    })
    const entry = { operatorId, action: 'view.save', subject: { type: 'view', id } }
    await writeAudit(db, { ...entry, after: { page, name, query, everybody } }, from)
  })
}

/**
 * Gives one's own view another name, shares it or keeps it for oneself.
 * @throws DomainError not_found, forbidden for one who may not share, invalid_request for a name that is taken
 */
export async function editView(
  database: Database,
  { id, name, everybody }: SavedViewEdit,
  { operatorId, role, from }: Actor & { role: OperatorRole },
): Promise<void> {
  if (everybody && !mayOperator(role, 'view.share')) throw new DomainError('forbidden')
  await database.$transaction(async (db) => {
    const view = await db.savedView.findFirst({ where: { id, operatorId } })
    if (!view) throw new DomainError('not_found')
    const { page } = view
    const namesake = await db.savedView.count({ where: { operatorId, page, name, NOT: { id } } })
    if (namesake > 0)
      throw new DomainError('invalid_request', {
        errors: [{ path: 'name', message: { zh: '名称已被使用', en: 'taken' } }],
      })
    await db.savedView.update({ where: { id }, data: { name, everybody } })
    const entry = { operatorId, action: 'view.edit', subject: { type: 'view', id } }
    const before = { page, name: view.name, everybody: view.everybody }
    await writeAudit(db, { ...entry, before, after: { page, name, everybody } }, from)
  })
}

/**
 * Takes a view away: one's own, or, with the permission, one that is shared.
 * @throws DomainError not_found
 */
export async function removeView(
  database: Database,
  id: string,
  { operatorId, role, from }: Actor & { role: OperatorRole },
): Promise<void> {
  await database.$transaction(async (db) => {
    const view = await db.savedView.findUnique({ where: { id } })
    const may = view?.operatorId === operatorId || (mayOperator(role, 'view.remove_any') && view?.everybody)
    if (!view || !may) throw new DomainError('not_found')
    await db.savedView.delete({ where: { id } })
    const entry = { operatorId, action: 'view.remove', subject: { type: 'view', id } }
    const { page, name, query, everybody } = view
    await writeAudit(db, { ...entry, before: { page, name, query, everybody } }, from)
  })
}
