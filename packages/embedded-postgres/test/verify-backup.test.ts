import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { askOne, withConnection } from '../src/cluster.ts'
import { type Backup, backUp, ensureEmbedded, listBackups, pruneBackups, verifyBackup } from '../src/index.ts'
import { memberOf } from './member-of.ts'

let home = ''
let sound = ''
let folder = ''
let noteFile = ''
let letterFile = ''
let afterwards = 0

/** A backup with a change after it that is archived too, and in `folder` a copy of both for each test to damage. */
beforeAll(async () => {
  home = mkdtempSync('/tmp/meridian-verify-test-')
  chmodSync(home, 0o755)
  sound = join(home, 'sound')
  folder = join(home, 'backups')
  const database = await ensureEmbedded({ memberOf, dataFolder: home })
  try {
    await withConnection(database.databaseUrl, async (client) => {
      await client.query(`CREATE TABLE notes (name text);
        INSERT INTO notes SELECT 'note ' || n FROM generate_series(1, 5000) n;
        CREATE TABLE letters AS TABLE notes`)
      // Read once before the backup: then nothing is written to its pages afterwards that would mend them.
      await client.query('SELECT count(*) FROM letters')
      letterFile = String(await askOne(database.databaseUrl, `SELECT pg_relation_filepath('letters')`))
      noteFile = String(await askOne(database.databaseUrl, `SELECT pg_relation_filepath('notes')`))
      await backUp(database.databaseUrl, { folder: sound, countedTables: ['notes', 'never made'] })
      for (const name of ['after the backup', 'in another piece']) {
        await client.query('INSERT INTO notes VALUES ($1)', [name])
        const { rows } = await client.query<{ piece: string }>(
          'SELECT pg_walfile_name(pg_switch_wal()) AS piece',
        )
        await vi.waitUntil(() => existsSync(join(sound, 'wal', rows[0]?.piece ?? '?')), { timeout: 60_000 })
        afterwards += 1
      }
    })
  } finally {
    await database.stop()
  }
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  // With its owners: the server that restores it must be able to read it.
  execFileSync('cp', ['-a', sound, folder])
})

const only = (): Backup => {
  const [backup] = listBackups(folder)
  if (!backup) throw new Error('There is no backup')
  return backup
}
const prove = async () => undefined
const verify = (more: Partial<Parameters<typeof verifyBackup>[0]> = {}) =>
  verifyBackup({ home, folder, backup: only(), scratch: home, prove, ...more })
const copied = (name: string) => join(only().folder, 'cluster', name)
const pieces = () =>
  readdirSync(join(folder, 'wal'))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .sort()

function flip(file: string, place: number): void {
  const bytes = readFileSync(file)
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

test('a sound backup is restored with what was archived after it, proved, and leaves nothing behind', async () => {
  let notes: unknown
  const { tables, lastChangeAt } = await verify({
    prove: async (databaseUrl) => {
      notes = await askOne(databaseUrl, 'SELECT count(*)::int FROM notes')
      expect(await askOne(databaseUrl, 'SHOW archive_mode')).toBe('off')
    },
  })
  expect(notes).toBe(5000 + afterwards)
  expect(tables).toBeGreaterThan(50)
  expect(lastChangeAt).not.toBeNull()
  expect(only().recorded?.rows).toEqual({ notes: 5000 })
  expect(readdirSync(home).filter((name) => name.startsWith('verify-'))).toEqual([])
})

test('a file that was cut short is found', async () => {
  truncateSync(copied(noteFile), statSync(copied(noteFile)).size - 8192)
  await expect(verify()).rejects.toThrow(`${copied(noteFile)} is not what was written`)
})

test('a single flipped bit is found in a file, and in the list of files', async () => {
  flip(copied(noteFile), 5000)
  await expect(verify()).rejects.toThrow(`${copied(noteFile)} is not what was written`)
  flip(join(only().folder, 'files.sha256'), 10)
  await expect(verify()).rejects.toThrow('files.sha256 was changed')
})

test('a file that is missing is found, and so is a missing list', async () => {
  rmSync(copied(noteFile))
  await expect(verify()).rejects.toThrow(`${copied(noteFile)} is missing`)
  rmSync(join(only().folder, 'files.sha256'))
  await expect(verify()).rejects.toThrow('files.sha256 is missing')
})

test('a backup of an earlier release, without a list, is restored and every page of it read', async () => {
  const { finished_at, bytes } = JSON.parse(readFileSync(join(only().folder, 'backup.json'), 'utf8'))
  writeFileSync(join(only().folder, 'backup.json'), JSON.stringify({ finished_at, bytes }))
  await expect(verify()).resolves.toMatchObject({ tables: expect.any(Number) })
  flip(copied(letterFile), 5000)
  await expect(verify()).rejects.toThrow('letters cannot be read: invalid page in block 0')
})

test('a damaged piece of the log is found, which PostgreSQL takes for its end', async () => {
  const damaged = pieces().at(-2) ?? ''
  flip(join(folder, 'wal', damaged), 100)
  await expect(verify()).rejects.toThrow(/archived log breaks off at .* before its last piece/)
})

test('a missing piece of the log is found', async () => {
  rmSync(join(folder, 'wal', pieces().at(-2) ?? ''))
  await expect(verify()).rejects.toThrow(/archived log breaks off/)
})

test('rows that were there at the backup and are not there now are found', async () => {
  const file = join(only().folder, 'backup.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"notes":5000', '"notes":5003'))
  await expect(verify()).rejects.toThrow('notes has 5002 rows, at the backup it had 5003')
})

test('nothing is restored onto a disk with too little room, and what is needed is told', async () => {
  await expect(verify({ freeBytesOf: () => 10 * 1024 * 1024 })).rejects.toThrow(
    /^Restoring it takes \d{3} MB in .*, which has 10 MB left$/,
  )
})

test('what the proof finds is the outcome, and the copy is gone all the same', async () => {
  const refusing = async () => {
    throw new Error('the ledger differs')
  }
  await expect(verify({ prove: refusing })).rejects.toThrow('the ledger differs')
  expect(readdirSync(home).filter((name) => name.startsWith('verify-'))).toEqual([])
})

test('older backups go with the log that only they need, and the newest is whole without them', async () => {
  const database = await ensureEmbedded({ memberOf, dataFolder: home })
  await backUp(database.databaseUrl, { folder, countedTables: ['notes'] })
  await database.stop()
  const [oldest, newest] = listBackups(folder)
  const before = pieces()
  expect(pruneBackups(folder, 2)).toEqual({ backups: [], pieces: expect.any(Number) })
  const { backups, pieces: removed } = pruneBackups(folder, 1)
  expect(backups).toEqual([oldest])
  expect(listBackups(folder)).toEqual([newest])
  expect(removed).toBeGreaterThan(0)
  expect(pieces().length).toBeLessThan(before.length)
  await verify()
  expect(() => pruneBackups(folder, 0)).toThrow(RangeError)
})

test('without the password of that time nothing is restored', async () => {
  const other = mkdtempSync('/tmp/meridian-verify-test-')
  await expect(verify({ home: other })).rejects.toThrow(/password file .* is missing/)
  rmSync(other, { recursive: true })
})
