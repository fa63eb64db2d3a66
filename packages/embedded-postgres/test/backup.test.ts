import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withConnection } from '../src/cluster.ts'
import { backUp, ensureEmbedded, restoreBackup } from '../src/index.ts'
import { memberOf } from './member-of.ts'

let home = ''
let folder = ''
beforeAll(() => {
  home = mkdtempSync('/tmp/meridian-backup-test-')
  folder = join(home, 'backups')
  chmodSync(home, 0o755)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function whileRunning<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const database = await ensureEmbedded({ memberOf, dataFolder: home })
  try {
    return await work(database.databaseUrl)
  } finally {
    await database.stop()
  }
}

/** Writes a note and answers a moment after it, before anything that comes later: dates have milliseconds only. */
const write = (databaseUrl: string, name: string) =>
  withConnection(databaseUrl, async (client) => {
    await client.query('INSERT INTO notes VALUES ($1)', [name])
    const { rows } = await client.query<{ at: Date }>(
      `SELECT clock_timestamp() + interval '1 ms' AS at, pg_sleep(0.01)`,
    )
    return rows[0]?.at ?? null
  })

const notes = (databaseUrl: string) =>
  withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM notes ORDER BY 1')
    return rows.map(({ name }) => name)
  })

test('a database comes back as it was at a moment after its backup, and then as it was in the end', async () => {
  const moment = await whileRunning(async (databaseUrl) => {
    await withConnection(databaseUrl, (client) =>
      client.query(`CREATE TABLE notes (name text);
        CREATE TABLE backups (finished_at timestamptz PRIMARY KEY, bytes bigint NOT NULL)`),
    )
    await write(databaseUrl, 'before the backup')
    const { finishedAt } = await backUp(databaseUrl, { folder })
    await withConnection(databaseUrl, async (client) => {
      const { rows } = await client.query('SELECT finished_at FROM backups')
      expect(rows).toEqual([{ finished_at: finishedAt }])
    })
    const at = await write(databaseUrl, 'just in time')
    await write(databaseUrl, 'regretted')
    return at
  })
  await restoreBackup({ home, folder, to: moment })
  expect(await whileRunning(notes)).toEqual(['before the backup', 'just in time'])
  expect(readdirSync(home).filter((name) => name.startsWith('cluster.replaced-'))).toHaveLength(1)

  await whileRunning((databaseUrl) => write(databaseUrl, 'after the restoration'))
  const { lastChangeAt } = await restoreBackup({ home, folder, to: null })
  expect(lastChangeAt).not.toBeNull()
  expect(await whileRunning(notes)).toEqual(['after the restoration', 'before the backup', 'just in time'])
})

test('nothing is restored under a running server, nor from before the first backup', async () => {
  await whileRunning(() =>
    expect(restoreBackup({ home, folder, to: null })).rejects.toThrow(/runs: stop Meridian first/),
  )
  await expect(restoreBackup({ home, folder, to: new Date('2020-01-01') })).rejects.toThrow(/no backup/)
})
