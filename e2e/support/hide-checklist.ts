import { openDatabase } from '@meridian/db'

/** As if an owner had hidden the checklist of a new installation from everybody: no order has been paid there yet. */
export async function hideChecklist(databaseUrl: string): Promise<void> {
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-e2e', maxConnections: 1 })
  await database.pool.query(
    `INSERT INTO checklist_dismissals (operator_id, everybody) SELECT id, true FROM operators WHERE role = 'owner'`,
  )
}
