import { withConnection } from './cluster-address.ts'

/** Tells the programs that a backup was made, so that they notice when the next one stays away. */
export const recordBackup = (
  databaseUrl: string,
  { finishedAt, bytes }: { finishedAt: Date; bytes: number },
): Promise<void> =>
  withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT to_regclass('backups') IS NOT NULL AS known`)
    // A database that was never migrated has nobody to tell.
    if (!rows[0]?.known) return
    await client.query('INSERT INTO backups (finished_at, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      finishedAt,
      bytes,
    ])
  })
