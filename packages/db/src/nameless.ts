import type { Pool, PoolClient } from 'pg'

const nameless = new WeakSet<Pool | PoolClient>()

/** From now on no statement of this pool is prepared by name: its server keeps no session that would know the name. */
export function prepareNothing(pool: Pool): void {
  nameless.add(pool)
  pool.on('connect', (client) => nameless.add(client))
}

/** Whether a statement may be prepared by name on this connection: twice as fast where the session stays. */
export const mayPrepare = (db: Pool | PoolClient): boolean => !nameless.has(db)
