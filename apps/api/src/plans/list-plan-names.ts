import type { Db } from '@meridian/db'

/** Every plan there ever was, for a filter. */
export const listPlanNames = (db: Db) =>
  db.plan.findMany({
    orderBy: [{ sortOrder: 'asc' }, { code: 'asc' }],
    select: { code: true, name: true, onSale: true },
  })
