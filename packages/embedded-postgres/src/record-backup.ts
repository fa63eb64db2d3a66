import { withConnection } from './cluster.ts'

type Made = { finishedAt: Date; bytes: number }

/** Tells the programs that a backup was made, so that they notice when the next one stays away. */
export const recordBackup = (databaseUrl: string, { finishedAt, bytes }: Made): Promise<void> =>
  withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT to_regclass('backups') IS NOT NULL AS known`)
    // A database that was never migrated has nobody to tell.
    if (!rows[0]?.known) return
    await client.query('INSERT INTO backups (finished_at, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      finishedAt,
      bytes,
    ])
  })

/**
 * Notes when a backup was last restored and found whole. A database that was restored itself may not know of the backup
 * any more: then it is told of it as well.
 */
export const recordVerification = (
  databaseUrl: string,
  { finishedAt, bytes, verifiedAt }: Made & { verifiedAt: Date },
): Promise<void> =>
  withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT FROM pg_attribute WHERE attrelid = to_regclass('backups') AND attname = 'verified_at'`,
    )
    // A database of an earlier release has no place for it.
    if (rows.length === 0) return
    await client.query(
      `INSERT INTO backups (finished_at, bytes, verified_at) VALUES ($1, $2, $3)
       ON CONFLICT (finished_at) DO UPDATE SET verified_at = excluded.verified_at`,
      [finishedAt, bytes, verifiedAt],
    )
  })
