import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '@meridian/db'
import { runtimeRole } from '@meridian/db/runtime-role'
import { backUp, ensureEmbedded, verifyBackup } from '@meridian/embedded-postgres'
import { expect, test } from 'vitest'
import { inCheckout } from '../checkout.mjs'
import { countedTables, proveDatabase } from '../verify-backup.mjs'

/** A command of the API from its sources, so that nothing has to be built. */
const fromSources = (name: string) => ['--import', 'tsx', inCheckout(`apps/api/src/commands/${name}.ts`)]

/** An embedded database of its own with Meridian's tables; the work gets one statement at a time into it. */
async function withMeridian(work: (world: World) => Promise<void>): Promise<void> {
  const home = mkdtempSync('/tmp/meridian-verify-test-')
  chmodSync(home, 0o755)
  const folder = join(home, 'backups')
  const database = await ensureEmbedded({ memberOf: runtimeRole, dataFolder: home })
  const pool = openPool(database.databaseUrl, { applicationName: 'verify-backup-test', maxConnections: 1 })
  try {
    const prove = () => proveDatabase(database.databaseUrl, fromSources)
    await prove()
    await work({
      prove,
      run: (statement) => pool.query(statement),
      check: async () => {
        const backup = await backUp(database.databaseUrl, { folder, countedTables })
        expect(Object.keys(backup.recorded?.rows ?? {})).toEqual(countedTables)
        const proveCopy = (copy: string) => proveDatabase(copy, fromSources)
        await verifyBackup({ home, folder, backup, scratch: home, prove: proveCopy })
      },
    })
  } finally {
    await pool.end()
    await database.stop()
    rmSync(home, { recursive: true, force: true })
  }
}
type World = {
  run: (statement: string) => Promise<unknown>
  /** Proves the database itself. */
  prove: () => Promise<void>
  /** Takes a backup, and proves what it restores. */
  check: () => Promise<void>
}

test('a backup holds until its ledger, its audit log or its migrations do not', async () => {
  await withMeridian(async ({ run, prove, check }) => {
    await check()

    await run(`INSERT INTO users (id, openid) VALUES ('01900000-0000-7000-8000-000000000001', 'somebody')`)
    await run(`INSERT INTO subscriptions (user_id, seq, expires_at)
      VALUES ('01900000-0000-7000-8000-000000000001', 1, '2026-12-01T00:00:00Z')`)
    await expect(check()).rejects.toThrow(/^ledger:verify: 01900000\S+: stored 1 2026-12-01/)
    await run('DELETE FROM subscriptions')

    await run(`INSERT INTO audit_chain (seq, entry_id, hash) VALUES (1, 77, sha256('forged'))`)
    await expect(prove()).rejects.toThrow(/^audit:verify: link 1, entry 77/)

    await run(
      `UPDATE _prisma_migrations SET checksum = 'another' WHERE migration_name LIKE '%_verified_backups'`,
    )
    await expect(prove()).rejects.toThrow(/^db:migrate: Applied migrations were edited since/)
  })
})
